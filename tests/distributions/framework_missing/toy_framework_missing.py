from corearray.plugin import BackendInfo

info = BackendInfo(
    "framework_missing",
    framework=("no-such-framework", "no-such-framework-gpu"),
    framework_versions=">=1.5",
    array_types=("nowhere.Array",),
)
