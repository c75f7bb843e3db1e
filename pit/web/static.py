"""Static files: named by their digest, sent in one piece."""

from typing import Any

from django.contrib.staticfiles.storage import HashedFilesMixin
from django.http import HttpRequest, HttpResponse
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.storage import CompressedManifestStaticFilesStorage

_, MODULE_IMPORTS = HashedFilesMixin._js_module_import_aggregation_patterns  # noqa: SLF001 - Django gives it no public name


class HashedFiles(CompressedManifestStaticFilesStorage):
    """Rewrites `import … from "./x.js"` in our own modules too.

    Otherwise a browser could pair a new page with an old module. What packages bring is left as it is: one of their
    files names a module that they do not ship.
    """

    patterns = (*HashedFilesMixin.patterns, ("js/*.js", MODULE_IMPORTS))


class StaticFiles(WhiteNoiseMiddleware):
    """WhiteNoise under ASGI: a file goes out in one piece.

    WhiteNoise streams with a synchronous iterator, which an asynchronous server has to collect first, with a warning.
    """

    @staticmethod
    def serve(static_file: Any, request: HttpRequest) -> HttpResponse:
        found = static_file.get_response(request.method, request.META)
        body = b""
        if found.file is not None:
            with found.file as file:
                body = file.read()
        answer = HttpResponse(body, status=int(found.status))
        del answer["content-type"]
        for key, value in found.headers:
            answer[key] = value
        return answer
