"""`Container`: a tree of arrays with attribute access, operators and methods, and conversion to files and other
libraries.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, final

from corearray.arrays.operators import Operators
from corearray.container.methods import Methods
from corearray.container.text import text_of
from corearray.container.tree import Tree
from corearray.errors import CoreArrayAttributeError, CoreArrayTypeError, CoreArrayValueError, options

if TYPE_CHECKING:
    from os import PathLike

__all__ = ["Container"]


@final
class Container(Operators, Methods, Tree):
    """A tree of arrays (or any objects) with string keys; every public function accepts it in place of any argument.

    A function of Containers maps over their leaves and returns a Container of the results. Arguments that are not
    Containers are passed for every leaf. Operators and methods map in the same way. Every value that is not a mapping
    is a leaf, lists and tuples too.

    Parameters
    ----------
    items
        A mapping, or pairs of keys and values. Mappings among the values become Containers. A key may be a key chain:
        `"a/b"` is the key `"b"` in the Container under `"a"`.
    named
        More items, by keyword.

    Examples
    --------
    >>> import corearray as ca
    >>> c = ca.Container(weight=ca.asarray([3.0, 4.0]), inner={"bias": ca.asarray([1.0])})
    >>> c["inner/bias"].tolist(), c.inner.bias.tolist(), "inner/bias" in c
    ([1.0], [1.0], True)
    >>> ca.square(c).to_list()
    Container(weight=[9.0, 16.0], inner=Container(bias=[1.0]))
    >>> (2 * c + c).sum().to_list()
    Container(weight=21.0, inner=Container(bias=3.0))
    >>> ca.add(c, ca.Container({"weight": 1, "inner/bias": 2})).to_list()
    Container(weight=[4.0, 5.0], inner=Container(bias=[3.0]))

    Notes
    -----
    - A key that is also the name of a method, such as `"mean"`, is read as `c["mean"]`.
    - A key that is no string goes to the leaves: `c[0]` and `c[..., None]` index each of them.
    - `==` compares the elements of the leaves, as it does for arrays; `c1.equals(c2)` is a `bool`.
    - The order of the keys is no part of the structure.
    - JAX and torch know a Container as a node of their trees as soon as their backend is loaded. Any other library
      with such trees is told by its own function, as in
      `optree.register_pytree_node_class(corearray.Container, namespace="mine")`.
    """

    __slots__ = ()

    __hash__ = None  # type: ignore[assignment]

    #: Lets the operators of NumPy's arrays leave the call to those of the Container.
    __array_ufunc__ = None

    def __bool__(self) -> bool:
        raise CoreArrayValueError(
            "the truth of a Container is ambiguous; use len(c) for whether it has keys, c1.equals(c2) for whether two "
            "are the same, c.all() or c.any() for each leaf"
        )

    # --- attributes

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # protocols ask for many of these
            raise CoreArrayAttributeError(f"a Container has no attribute '{name}'")
        try:
            return self._items[name]
        except KeyError:
            raise CoreArrayAttributeError(self._has_no_attribute(name)) from None

    def __setattr__(self, name: str, value: Any) -> None:
        if name.startswith("_") or hasattr(Container, name):
            raise CoreArrayAttributeError(
                f"'{name}' cannot be set as an attribute, because Containers use such names themselves; "
                f'write c["{name}"] = value'
            )
        self[name] = value

    def __delattr__(self, name: str) -> None:
        if name not in self._items:
            raise CoreArrayAttributeError(self._has_no_attribute(name))
        del self._items[name]

    def _has_no_attribute(self, name: str) -> str:
        return f"this Container has no key '{name}'; it has {options(self._items)}"

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *(key for key in self._items if key.isidentifier())})

    def __repr__(self) -> str:
        return text_of(self)

    # --- to and from others

    def __reduce__(self) -> tuple[Any, ...]:
        return Container, (self._items,)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        raise CoreArrayTypeError("a Container is no array; corearray.to_numpy(c) converts each of its leaves")

    def tree_flatten(self) -> tuple[tuple[Any, ...], tuple[str, ...]]:
        """Return values and keys, sorted by key; the protocol of tree libraries.

        Examples
        --------
        >>> import corearray as ca
        >>> ca.Container(b=1, a=2).tree_flatten()
        ((2, 1), ('a', 'b'))
        """
        keys = tuple(sorted(self._items))
        return tuple(map(self._items.__getitem__, keys)), keys

    @classmethod
    def tree_unflatten(cls, keys: Iterable[str], values: Iterable[Any], /) -> Container:
        """Return the Container of values and keys from `tree_flatten`; the values may be any objects.

        Examples
        --------
        >>> import corearray as ca
        >>> ca.Container.tree_unflatten(("a", "b"), (2, 1))
        Container(a=2, b=1)
        """
        return cls(zip(keys, values, strict=True))

    def save(self, path: str | PathLike[str], /) -> None:
        """Write this Container to a file.

        Parameters
        ----------
        path
            With the suffix `.npz` for a file of arrays, Python scalars, strings and `None` that NumPy reads too, or
            with `.pickle` (`.pkl`) for leaves of any kind, which keeps each array's backend and device. The file is written
            aside and renamed: if that fails, an old file stays as it was.

        Examples
        --------
        >>> import corearray as ca, pathlib, tempfile
        >>> path = pathlib.Path(tempfile.mkdtemp(), "state.npz")
        >>> ca.Container(step=3, weight={"layer": ca.asarray([1.0, 2.0])}).save(path)
        >>> ca.Container.load(path).to_list()
        Container(step=3, weight=Container(layer=[1.0, 2.0]))
        """
        from corearray.container.storage import save

        save(self, path)

    @classmethod
    def load(cls, path: str | PathLike[str], /, *, allow_pickle: bool = False) -> Container:
        """Read a Container from a file that `save` wrote, or from a `.npz` file of any origin.

        Parameters
        ----------
        path
            The suffix tells the format.
        allow_pickle
            Whether a `.pickle` file may be read. It can run any program when it is read: trust its origin first.

        Returns
        -------
        The Container. Arrays of a `.npz` file are put on the backend in force, else on the one that was used last.

        Raises
        ------
        FileFormatError
            If the content is broken, cut off, too large, or of a newer version.
        ValueError
            If the suffix is another one, or that of a `.pickle` file without `allow_pickle=True`.

        Examples
        --------
        >>> import corearray as ca, pathlib, tempfile
        >>> path = pathlib.Path(tempfile.mkdtemp(), "state.pickle")
        >>> ca.Container(options=["any", "object"]).save(path)
        >>> ca.Container.load(path, allow_pickle=True)
        Container(options=['any', 'object'])
        """
        from corearray.container.storage import load

        return load(cls, path, allow_pickle=allow_pickle)

    # --- in place

    def _updated(self, update: Callable[[Any, Any], Any], other: Any) -> Container:
        changed = self.multi_map(update, other)
        for chain, leaf in changed.flatten().items():
            self[chain] = leaf
        return self
