#!/bin/sh
# Run once by the PostgreSQL image, when it makes its cluster: the site's role owns its database and nothing else.
set -eu
psql --username postgres --set ON_ERROR_STOP=1 --set word="$SECTORS_PASSWORD" <<'SQL'
CREATE ROLE sectors LOGIN PASSWORD :'word';
CREATE DATABASE sectors OWNER sectors;
SQL
