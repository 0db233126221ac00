import toyframework_module  # noqa: F401  # a description must not

from corearray.plugin import BackendInfo

info = BackendInfo(
    "unsound",
    framework="toyframework",
    framework_versions=">=2",
    core_versions=">=0.1",
    array_types=("toyframework.Unsound",),
    modules=("toy_unsound.functions", "toy_unsound.absent"),
)
