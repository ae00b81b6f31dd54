"""Static files under names with a content hash, also where one of our scripts imports another."""

from whitenoise.storage import CompressedManifestStaticFilesStorage

_, IMPORTS = CompressedManifestStaticFilesStorage._js_module_import_aggregation_patterns


class StaticFiles(CompressedManifestStaticFilesStorage):
    support_js_module_import_aggregation = True
    _js_module_import_aggregation_patterns = ("js/*.js", IMPORTS)
