"""nginx configuration: the proxy of a service with HTTPS, and the same on one machine without."""

from __future__ import annotations

from pathlib import Path

from sectors_site import proxy_refusals, secret_addresses

HOST = "127.0.0.1"


def _per_secret_address(line: str) -> str:
    """One line for each kind of secret address."""
    return "\n".join(line.format(begin) for begin in secret_addresses.PREFIXES)


SHARED = f"""\
# Connections of one address: six sockets, and what a browser opens for pages.
limit_conn_zone $binary_remote_addr zone=sectors_addresses:10m;

# A socket says what it changes to; everything else keeps its connection.
map $http_upgrade $sectors_connection {{
    default upgrade;
    "" "";
}}

# What must not be sent twice has a connection of its own: one that was kept may be closed just then. nginx itself
# never sends POST and PATCH again once they are on their way. It would send PUT and DELETE again, so for these there
# is one server only.
map $request_method $sectors_web {{
    default sectors;
    POST sectors_once;
    PATCH sectors_once;
    PUT sectors_first;
    DELETE sectors_first;
}}

# Who reads one of these addresses in a log could use it. However it was spelled, nginx compares its plain form.
map $uri $sectors_logged {{
    default 1;
{_per_secret_address("    ~^/{} 0;")}
}}

# Without the Referer and without queries, in which such an address may stand too.
log_format sectors '$remote_addr - $remote_user [$time_local] "$request_method $uri $server_protocol" $status '
    '$body_bytes_sent "-" "$http_user_agent"';

{proxy_refusals.maps()}"""
SERVER_BODY = f"""\
    limit_conn sectors_addresses {proxy_refusals.CONNECTIONS};
    limit_conn_status 429;
    # Above the site's own limit, so that the site's own page says so.
    client_max_body_size 300k;
    # The site compresses by itself where that gives nothing away.
    gzip off;
    # An answer may lead on to an address as long as nginx takes: more than its usual buffer would be an error of ours.
    proxy_buffer_size 16k;
    proxy_buffers 8 16k;
    proxy_http_version 1.1;
    proxy_set_header Host $http_host;
    proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    proxy_set_header X-Forwarded-Proto $scheme;
    proxy_set_header X-Request-ID $request_id;
    proxy_set_header Upgrade $http_upgrade;
    proxy_set_header Connection $sectors_connection;
    # While the web process is restarted the one beside it answers. What is read goes there also if its connection
    # breaks off; POST and PATCH only if no connection was made, so that nothing was sent; PUT and DELETE never.
    proxy_next_upstream error;

    # For this machine's monitoring alone.
    location ~ ^/(healthz|readyz|metrics)$ {{
        allow 127.0.0.1;
        allow ::1;
        deny all;
        proxy_pass http://sectors;
    }}
    location /ws/ {{
        # Longer than a socket is silent.
        proxy_read_timeout 1h;
        proxy_pass http://sectors;
    }}
    # The error log would name the whole address.
    location ~ ^/({"|".join(secret_addresses.PREFIXES)}) {{
        error_log /dev/null;
        proxy_pass http://$sectors_web;
    }}
    location / {{
        proxy_pass http://$sectors_web;
    }}
{proxy_refusals.locations()}"""


def upstreams(web: str, beside: str = "") -> str:
    """The upstream groups: the web process, and its stand-in during restarts. Each request tries the first server
    first, so that old and new processes never alternate. The last group has no stand-in."""
    first = f"    server {web} max_fails=0;\n"
    servers = first + (f"    server {beside} max_fails=0 backup;\n" if beside else "")
    main = f"upstream sectors {{\n{servers}    keepalive 16;\n}}\n"
    return f"{main}\nupstream sectors_once {{\n{servers}}}\n\nupstream sectors_first {{\n{first}}}\n"


def with_https(web: str, beside: str = "") -> str:
    """A file for the sites folder of an installed nginx."""
    return f"""\
# The proxy of a service, for /etc/nginx/conf.d/. Change the name and the certificate.
{SHARED}
{upstreams(web, beside)}
server {{
    listen 80;
    listen [::]:80;
    server_name play.example.org;
    access_log off;
    return 301 https://$host$request_uri;
}}

server {{
    listen 443 ssl http2;
    listen [::]:443 ssl http2;
    server_name play.example.org;
    ssl_certificate /etc/ssl/sectors/fullchain.pem;
    ssl_certificate_key /etc/ssl/sectors/privkey.pem;
    ssl_protocols TLSv1.2 TLSv1.3;
    access_log /var/log/nginx/sectors.log sectors if=$sectors_logged;
{SERVER_BODY}}}
"""


def on_this_machine(folder: Path, *, port: int, web: int, beside: int | None = None, is_root: bool) -> str:
    """The whole configuration of a private nginx that keeps its files in this folder."""
    temporary = "".join(
        f'    {kind}_temp_path "{folder}/{kind}";\n' for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    server = f"server {{\n    listen 127.0.0.1:{port};\n    server_name _;\n{SERVER_BODY}}}\n"
    inner = "\n".join([SHARED, upstreams(f"{HOST}:{web}", f"{HOST}:{beside}" if beside else ""), server])
    return f"""\
{"user root;" if is_root else ""}
daemon off;
worker_processes 1;
pid "{folder}/nginx.pid";
error_log stderr warn;
events {{
    worker_connections 1024;
}}
http {{
    access_log off;
{temporary}
{inner}}}
"""
