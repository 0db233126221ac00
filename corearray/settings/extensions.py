"""Functions that register, unload and list extensions."""

from __future__ import annotations

from corearray.contract.extension import ExtensionStatus
from corearray.manager import manager

__all__ = ["list_extensions", "register_extension", "unregister_extension"]

#: What `corearray list-functions` says of the functions here that are no declarations.
__kind__ = "convenience"


def register_extension(plugin: object) -> str:
    """Use an extension that is not installed as a distribution.

    Functions that are composed already are composed anew, also those that you hold, such as `add = be.add`. Programs that a
    framework has compiled keep what they were compiled of.

    Parameters
    ----------
    plugin
        A module or object with a `corearray.plugin.ExtensionInfo` named `info`, and the hookimpls on it or in the modules
        that `info` names.

    Returns
    -------
    The extension's name.

    Raises
    ------
    ExtensionError
        If the extension is not valid, or one of that name is there. Then nothing has changed.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray.plugin import ExtensionInfo, hookimpl
    >>> class Doubling:
    ...     info = ExtensionInfo("doubling", backends=("numpy",))
    ...     @hookimpl
    ...     def positive(self, x, /):
    ...         return 2 * x
    >>> be = ca.get_backend("numpy")
    >>> ca.register_extension(Doubling())
    'doubling'
    >>> be.positive(be.ones(2)).tolist()
    [2.0, 2.0]
    >>> ca.unregister_extension("doubling")
    >>> be.positive(be.ones(2)).tolist()
    [1.0, 1.0]
    """
    return manager.register_extension(plugin)


def unregister_extension(name: str) -> None:
    """Stop using an extension; functions are composed anew without it.

    Functions that it declared stay, as they belong to its modules.

    Parameters
    ----------
    name
        The extension's name.

    Raises
    ------
    ExtensionError
        If there is no such extension.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray.plugin import ExtensionInfo
    >>> ca.unregister_extension(ca.register_extension(ExtensionInfo("example")))
    >>> [row.name for row in ca.list_extensions() if row.name == "example"]
    []
    """
    manager.unregister_extension(name)


def list_extensions() -> list[ExtensionStatus]:
    """Return a status record for each extension, sorted by name.

    The light module of each is imported, as it is when a backend is loaded.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray.plugin import ExtensionInfo
    >>> name = ca.register_extension(ExtensionInfo("example", backends=("torch",)))
    >>> [(row.status, row.backends) for row in ca.list_extensions() if row.name == name]
    [('ready', ('torch',))]
    >>> ca.unregister_extension(name)
    """
    return manager.extension_statuses()
