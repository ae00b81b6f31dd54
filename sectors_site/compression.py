"""Compresses responses that cannot reflect input of an attacker: docs/decisions/0028-compressed-pages.md."""

from __future__ import annotations

import re
from secrets import randbelow
from zlib import DEFLATED, compressobj

from django.http import HttpRequest, HttpResponse
from django.middleware.gzip import re_accepts_gzip
from django.utils.cache import patch_vary_headers
from django.utils.deprecation import MiddlewareMixin

COMPRESSION_LEVEL = 1  # half the time of level 6, for pages a fifth longer
MIN_BYTES = 500  # below this, the extra header outweighs the savings
MOST_PADDING = 100  # bytes, random per response, so that the length reveals little about the contents
TEXTS = ("text/html", "application/json")
GZIP_WINDOW = 16 + 15  # zlib's code for gzip format with the largest window
SAFE_QUERY = re.compile(r"(?:[a-z]{1,8}=[0-9]{0,10}(?:&|$)){0,3}", re.ASCII)  # a few small numbers
PACKED = "-gzip"  # on the ETag of a compressed response
FILE_NAME_FLAG = b"\x08"  # gzip header flag: a file name follows the header


class CompressionMiddleware(MiddlewareMixin):
    """Compresses pages and small tables of figures for clients that accept gzip."""

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """Compress the response if that is allowed and makes it shorter."""
        if response.streaming or response.has_header("Content-Encoding") or not _is_text(response):
            return response
        patch_vary_headers(response, ("Accept-Encoding",))
        if not _reflects_nothing(request, response) or not _takes_gzip(request) or len(response.content) < MIN_BYTES:
            return response
        packed = packed_with_padding(response.content)
        if len(packed) < len(response.content):
            response.content = packed
            response["Content-Encoding"] = "gzip"
            response["Content-Length"] = str(len(packed))
            if (tag := response.get("ETag", "")).startswith('"'):
                response["ETag"] = f'{tag[:-1]}{PACKED}"'  # a strong tag identifies these exact bytes
        return response


def packed_with_padding(text: bytes) -> bytes:
    """The text as gzip with a file name of random length in its header, the padding that Django's middleware uses."""
    packer = compressobj(COMPRESSION_LEVEL, DEFLATED, GZIP_WINDOW)
    packed = packer.compress(text) + packer.flush()
    padding = b"a" * randbelow(MOST_PADDING + 1) + b"\x00"
    return packed[:3] + FILE_NAME_FLAG + packed[4:10] + padding + packed[10:]


def _reflects_nothing(request: HttpRequest, response: HttpResponse) -> bool:
    """True if no other site can have put text into the response: it could do so by the query of a GET, or the URL of a
    missing page; cross-site posts get 403."""
    is_safe_query = SAFE_QUERY.fullmatch(request.META.get("QUERY_STRING", ""))
    return bool(is_safe_query) and (response.status_code < 400 or response.status_code == 422)


def _takes_gzip(request: HttpRequest) -> bool:
    return bool(re_accepts_gzip.search(request.META.get("HTTP_ACCEPT_ENCODING", "")))


def _is_text(response: HttpResponse) -> bool:
    return response.get("Content-Type", "").startswith(TEXTS)
