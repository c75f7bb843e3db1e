"""Static files under names that hold their digest, also where one module imports another."""

from django.contrib.staticfiles.storage import HashedFilesMixin
from whitenoise.storage import CompressedManifestStaticFilesStorage

_, MODULE_IMPORTS = HashedFilesMixin._js_module_import_aggregation_patterns  # noqa: SLF001 - Django gives it no public name


class HashedFiles(CompressedManifestStaticFilesStorage):
    """Rewrites `import … from "./x.js"` in our own modules too.

    Otherwise a browser could pair a new page with an old module. What packages bring is left as it is: one of their
    files names a module that they do not ship.
    """

    patterns = (*HashedFilesMixin.patterns, ("js/*.js", MODULE_IMPORTS))
