from corearray.plugin import BackendInfo

info = BackendInfo(
    "variants",
    framework="toyframework",
    array_types=("toy_good.functions.ToyArray",),
    modules=("toy_good.functions", "toy_variants.functions"),
)
