"""Middleware that refuses zero bytes, compresses pages and sets the content security policy; and the storage of static
files, whose names contain a hash of their content."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from secrets import randbelow
from typing import Any
from zlib import DEFLATED, compressobj

from csp.constants import HEADER
from csp.middleware import CSPMiddleware
from django.core.exceptions import BadRequest
from django.core.files.base import ContentFile
from django.core.files.storage import Storage
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import re_accepts_gzip
from django.utils.cache import patch_vary_headers
from django.utils.deprecation import MiddlewareMixin
from whitenoise.storage import CompressedManifestStaticFilesStorage

from game.api.documents import is_of_api
from game.api.endpoint import GZIP_TAG_SUFFIX

ZERO_BYTE = "\x00"
API_POLICY = "default-src 'none'; frame-ancestors 'none'"
COMPRESSION_LEVEL = 1  # half the time of level 6, for pages a fifth longer
MIN_BYTES = 500  # below this, the extra header outweighs the savings
MAX_PADDING = 100  # bytes, random per response, so that the length reveals little about the contents
TEXTS = ("text/html", "application/json")
GZIP_WINDOW = 16 + 15  # zlib's code for gzip format with the largest window
SAFE_QUERY = re.compile(r"(?:[a-z]{1,8}=[0-9]{0,10}(?:&|$)){0,3}", re.ASCII)  # a few small numbers
FILE_NAME_FLAG = b"\x08"  # gzip header flag: a file name follows the header
OWN_STATIC = ("css/", "js/")
COMMENT_LINES = re.compile(rb"^[ \t]*(?://.*|/\*(?:[^*]|\*(?!/))*\*/[ \t]*)\n", re.MULTILINE)
_, IMPORTS = CompressedManifestStaticFilesStorage._js_module_import_aggregation_patterns


class ZeroByteMiddleware:
    """Refuses page URLs with a zero byte and drops such cookies, before either is looked up. Forms and the API check
    their own fields."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        has_zero_byte = ZERO_BYTE in request.path_info or "%00" in request.META.get("QUERY_STRING", "")
        if has_zero_byte and not is_of_api(request):
            raise BadRequest("No address of this site has a zero byte.")
        for name in [name for name, value in request.COOKIES.items() if ZERO_BYTE in value]:
            del request.COOKIES[name]
        return self.get_response(request)


class PolicyMiddleware(CSPMiddleware):
    """API responses get a constant policy: building the one for pages would add a twentieth to their time."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if is_of_api(request):
            response.headers.setdefault(HEADER, API_POLICY)
            return response
        return super().process_response(request, response)


class CompressionMiddleware(MiddlewareMixin):
    """Compresses pages and small tables of figures for clients that accept gzip."""

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """Compress the response if that is allowed and makes it shorter."""
        if response.streaming or response.has_header("Content-Encoding") or not _is_text(response):
            return response
        patch_vary_headers(response, ("Accept-Encoding",))
        if not _reflects_nothing(request, response) or not _accepts_gzip(request) or len(response.content) < MIN_BYTES:
            return response
        packed = compress_with_padding(response.content)
        if len(packed) < len(response.content):
            response.content = packed
            response["Content-Encoding"] = "gzip"
            response["Content-Length"] = str(len(packed))
            if (tag := response.get("ETag", "")).startswith('"'):
                response["ETag"] = f'{tag[:-1]}{GZIP_TAG_SUFFIX}"'  # a strong tag identifies these exact bytes
        return response


def compress_with_padding(text: bytes) -> bytes:
    """The text as gzip with a file name of random length in its header, the padding that Django's middleware uses."""
    packer = compressobj(COMPRESSION_LEVEL, DEFLATED, GZIP_WINDOW)
    packed = packer.compress(text) + packer.flush()
    padding = b"a" * randbelow(MAX_PADDING + 1) + b"\x00"
    return packed[:3] + FILE_NAME_FLAG + packed[4:10] + padding + packed[10:]


def _reflects_nothing(request: HttpRequest, response: HttpResponse) -> bool:
    """True if no other site can have put text into the response: it could do so by the query of a GET, or the URL of a
    missing page; cross-site posts get 403."""
    is_safe_query = SAFE_QUERY.fullmatch(request.META.get("QUERY_STRING", ""))
    return bool(is_safe_query) and (response.status_code < 400 or response.status_code == 422)


def _accepts_gzip(request: HttpRequest) -> bool:
    return bool(re_accepts_gzip.search(request.META.get("HTTP_ACCEPT_ENCODING", "")))


def _is_text(response: HttpResponse) -> bool:
    return response.get("Content-Type", "").startswith(TEXTS)


class StaticFiles(CompressedManifestStaticFilesStorage):
    """Static files with a hash in their names, compressed; our own scripts and stylesheets are served without the
    comments that have lines of their own."""

    support_js_module_import_aggregation = True
    _js_module_import_aggregation_patterns = ("js/*.js", IMPORTS)

    def post_process(self, paths: dict[str, Any], dry_run: bool = False, **options: Any) -> Iterator[Any]:
        served = {
            name: (_WithoutComments(storage), path) if name.startswith(OWN_STATIC) else (storage, path)
            for name, (storage, path) in paths.items()
        }
        yield from super().post_process(served, dry_run, **options)


class _WithoutComments:
    """A storage of text files, as `post_process` opens them."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    def open(self, path: str) -> ContentFile[bytes]:
        with self._storage.open(path) as file:
            return ContentFile(COMMENT_LINES.sub(b"", file.read()))
