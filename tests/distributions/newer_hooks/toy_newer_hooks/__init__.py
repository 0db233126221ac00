from corearray.plugin import BackendInfo

info = BackendInfo(
    "newer_hooks",
    framework="toyframework",
    array_types=("toyframework.Newer_Hooks",),
    modules=("toy_newer_hooks.functions",),
)
