from corearray.plugin import BackendInfo

info = BackendInfo("another_name", framework="toyframework", array_types=("toyframework.Another_Name",))
