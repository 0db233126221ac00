from corearray.plugin import BackendInfo

info = BackendInfo(
    "bad_range", framework="toyframework", array_types=("toyframework.Bad_Range",), framework_versions="newer than 2"
)
