from corearray.plugin import BackendInfo

info = BackendInfo("Not-A-Name", framework="toyframework", array_types=("toyframework.Not-A-Name",))
