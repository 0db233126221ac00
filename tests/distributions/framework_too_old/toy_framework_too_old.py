from corearray.plugin import BackendInfo

info = BackendInfo(
    "framework_too_old",
    framework="toyframework",
    array_types=("toyframework.Framework_Too_Old",),
    framework_versions=">=3,<4",
)
