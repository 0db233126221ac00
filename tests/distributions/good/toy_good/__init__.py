from corearray.plugin import BackendInfo

info = BackendInfo(
    "good",
    framework="toyframework",
    framework_versions=">=2,<3",
    core_versions=">=0.1",
    array_types=("toy_good.functions.ToyArray",),
    modules=("toy_good.functions",),
)
