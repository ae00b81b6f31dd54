"""Answers are compressed where nothing that was asked can stand in them: docs/decisions/0028-compressed-pages.md."""

from __future__ import annotations

import re
from secrets import randbelow
from zlib import DEFLATED, compressobj

from django.http import HttpRequest, HttpResponse
from django.middleware.gzip import re_accepts_gzip
from django.utils.cache import patch_vary_headers
from django.utils.deprecation import MiddlewareMixin

LEVEL = 1  # half the time of level 6, and a page a fifth longer than there
LEAST_BYTES = 500  # below it a header of its own outweighs what is saved
MOST_PADDING = 100  # bytes, random for every answer: its length tells little about its contents
TEXTS = ("text/html", "application/json")
GZIP = 16 + 15  # what zlib calls the gzip format with the largest window
WORDLESS = re.compile(r"(?:[a-z]{1,8}=[0-9]{0,10}(?:&|$)){0,3}", re.ASCII)  # a query of a few small numbers
PACKED = "-gzip"  # ends the tag of a compressed answer
NAME_FOLLOWS = b"\x08"  # flag in a gzip header: a file name stands between it and what is compressed


class CompressionMiddleware(MiddlewareMixin):
    """Compresses pages and small tables of figures for clients that accept gzip."""

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """The answer, compressed where it may be and where that makes it shorter."""
        if response.streaming or response.has_header("Content-Encoding") or not _is_text(response):
            return response
        patch_vary_headers(response, ("Accept-Encoding",))
        if not _reflects_nothing(request, response) or not _takes_gzip(request) or len(response.content) < LEAST_BYTES:
            return response
        packed = packed_with_padding(response.content)
        if len(packed) < len(response.content):
            response.content = packed
            response["Content-Encoding"] = "gzip"
            response["Content-Length"] = str(len(packed))
            if (tag := response.get("ETag", "")).startswith('"'):
                response["ETag"] = f'{tag[:-1]}{PACKED}"'  # a strong tag is of these bytes alone
        return response


def packed_with_padding(text: bytes) -> bytes:
    """The text as gzip, with a name of random length in its header, as Django's own middleware pads."""
    packer = compressobj(LEVEL, DEFLATED, GZIP)
    packed = packer.compress(text) + packer.flush()
    padding = b"a" * randbelow(MOST_PADDING + 1) + b"\x00"
    return packed[:3] + NAME_FOLLOWS + packed[4:10] + padding + packed[10:]


def _reflects_nothing(request: HttpRequest, response: HttpResponse) -> bool:
    """Whether no other site can have chosen a word of the answer: it can set the query of a GET and the address of a
    page that is not there; what is posted from elsewhere is answered with 403."""
    is_wordless = WORDLESS.fullmatch(request.META.get("QUERY_STRING", ""))
    return bool(is_wordless) and (response.status_code < 400 or response.status_code == 422)


def _takes_gzip(request: HttpRequest) -> bool:
    return bool(re_accepts_gzip.search(request.META.get("HTTP_ACCEPT_ENCODING", "")))


def _is_text(response: HttpResponse) -> bool:
    return response.get("Content-Type", "").startswith(TEXTS)
