from corearray.plugin import BackendInfo

info = BackendInfo("duplicate", framework="toyframework", array_types=("toyframework.Duplicate",))
