"""The site and a hello view under the same middleware."""

from django.http import HttpRequest, HttpResponse
from django.urls import path

from sectors_site.urls import urlpatterns as site


def hello(request: HttpRequest) -> HttpResponse:
    """What any page costs: it knows who asks and says hello."""
    return HttpResponse(f"hello {request.user}")


urlpatterns = [path("hello/", hello), *site]
