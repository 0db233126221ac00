from corearray.plugin import BackendInfo

info = BackendInfo(
    "core_mismatch", framework="toyframework", array_types=("toyframework.Core_Mismatch",), core_versions=">=99"
)
