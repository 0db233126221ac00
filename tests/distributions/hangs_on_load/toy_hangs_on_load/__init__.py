from corearray.plugin import BackendInfo

info = BackendInfo(
    "hangs_on_load",
    framework="toyframework",
    array_types=("toyframework.Hangs_On_Load",),
    modules=("toy_hangs_on_load.functions",),
)
