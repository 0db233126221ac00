from corearray.plugin import BackendInfo

info = BackendInfo(
    "fails_to_load",
    framework="toyframework",
    array_types=("toyframework.Fails_To_Load",),
    modules=("toy_fails_to_load.functions",),
)
