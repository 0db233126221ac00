from corearray.plugin import BackendInfo

info = BackendInfo(
    "exits_on_load",
    framework="toyframework",
    array_types=("toyframework.Exits_On_Load",),
    modules=("toy_exits_on_load.functions",),
)
