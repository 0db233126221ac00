from corearray.plugin import BackendInfo

info = BackendInfo(
    "missing_hooks",
    framework="toyframework",
    array_types=("toyframework.Missing_Hooks",),
    modules=("toy_missing_hooks.functions",),
)
