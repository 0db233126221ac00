from corearray.plugin import BackendInfo

info = BackendInfo(
    "wrong_signature",
    framework="toyframework",
    array_types=("toyframework.Wrong_Signature",),
    modules=("toy_wrong_signature.functions",),
)
