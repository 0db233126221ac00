from corearray.plugin import BackendInfo

print("a plugin that prints when it is imported")

info = BackendInfo(
    "other", framework="toyframework", array_types=("toy_good.functions.ToyArray",), modules=("toy_good.functions",)
)
