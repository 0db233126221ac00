from corearray.plugin import BackendInfo

info = BackendInfo(
    "not_valid", framework="toyframework", array_types=("toyframework.Not_Valid",), modules=("toy_not_valid.functions",)
)
