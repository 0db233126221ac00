"""Random words: Threefry-2x32 with 20 rounds.

Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", 2011.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from corearray.calls.accelerated import accelerated
from corearray.random.number_dtypes import widest, word_dtype
from corearray.random.programs import being_recorded
from corearray.types.devices import Device

if TYPE_CHECKING:
    from corearray.arrays.array import Array
    from corearray.backends.backend import Backend

__all__ = [
    "MASK",
    "compiled_words",
    "composed_words",
    "encrypted",
    "first_words_reach",
    "fractions",
    "multiplied",
    "operators_take_numbers",
    "threefry",
    "words",
    "words_by_parts",
    "words_of_host",
    "words_of_program",
]

MASK = 0xFFFFFFFF
_ROTATIONS = ((13, 15, 26, 6), (17, 29, 16, 24))

#: How many words are made at once: what the hundred steps to one word leave behind stays in the processor's cache.
_PART = 1 << 17

#: The functions that get numbers in `threefry`.
_OPERATORS = ("add", "bitwise_and", "bitwise_left_shift", "bitwise_right_shift")

_programs: WeakKeyDictionary[Backend, dict[str, Callable[..., Any] | None]] = WeakKeyDictionary()

#: Where the accelerator may compute words.
_HOST = Device("cpu")


def encrypted(key: tuple[Any, Any], number: Any, half: int = 0) -> tuple[Any, Any]:
    """Encrypt a number of 63 bits, or one of those that begin with `half`: integers, or arrays of `word_dtype`."""
    narrow = next((x for x in (*key, number) if not isinstance(x, int) and x.dtype.name == "uint32"), None)
    if narrow is None:
        return threefry(key, number & MASK, number >> 32 | half)
    lower, upper = (number & MASK, number >> 32) if isinstance(number, int) else (number, 0)
    return _encrypted_narrow(narrow._backend, key, lower, upper | half)


def _encrypted_narrow(be: Backend, key: tuple[Any, Any], lower: Any, upper: Any) -> tuple[Any, Any]:
    """Encrypt numbers given by two words each, in uint32."""
    first, second, one, two = (be.asarray(x, dtype=be.uint32) for x in (*key, lower, upper))
    return threefry((first, second), one, two, wraps=True)


def threefry(key: tuple[Any, Any], one: Any, two: Any, *, wraps: bool = False) -> tuple[Any, Any]:
    """Encrypt pairs of 32-bit words, each in a 64-bit integer: Python integers or arrays.

    With `wraps` keys and words are arrays of `uint32`, whose sums wrap around.
    """
    kept = _unchanged if wraps else _lower_word
    schedule = (*key, key[0] ^ key[1] ^ 0x1BD11BDA)
    one, two = kept(one + schedule[0]), kept(two + schedule[1])
    for block in range(5):
        for distance in _ROTATIONS[block % 2]:
            one = kept(one + two)
            two = (kept(two << distance) | two >> (32 - distance)) ^ one
        one = kept(one + schedule[(block + 1) % 3])
        two = kept(two + (schedule[(block + 2) % 3] + block + 1))
    return one, two


def _lower_word(x: Any) -> Any:
    return x & MASK


def _unchanged(x: Any) -> Any:
    return x


def words(be: Backend, key: tuple[Any, Any], start: Any, count: int) -> tuple[Array, Array]:
    """Return the words of consecutive counters in `word_dtype`; key and start may be arrays without axes."""
    found = _words_of_host(be, key, start, count)
    return composed_words(be, key, start, count) if found is None else found


def words_of_program(be: Backend, key: tuple[Any, Any], start: Any, count: int) -> tuple[Array, Array]:
    """Compute `words` in a program that is being compiled."""
    found = _in_one_call(be, key, start, count, None, within=True)
    return words(be, key, start, count) if found is None else (be.wrap(found[0]), be.wrap(found[1]))


def first_words_reach(be: Backend, key: tuple[Any, Any], start: Any, count: int, least: int, *, within: bool) -> Array:
    """Return whether the first word of each counter is `least` or more; `within` a program that is being compiled."""
    found = _in_one_call(be, key, start, count, least, within=within)
    if found is not None:
        return be.wrap(found)
    return _reaches(be, (words_of_program if within else words_by_parts)(be, key, start, count)[0], least)


def _reaches(be: Backend, one: Array, least: int) -> Array:
    """Return whether words are at least a multiple of 256, up to 2**32, which 32 bits do not hold."""
    reached: Array = one >> 8 >= least >> 8 if word_dtype(be) is be.uint32 else one >= least
    return reached


def _in_one_call(be: Backend, key: tuple[Any, Any], start: Any, count: int, least: int | None, *, within: bool) -> Any:
    """Return native words, or whether the first ones reach `least`, from a backend that compiles this, else `None`."""
    if within and isinstance(key[0], int):
        return None
    made = compiled_words(be, within=within)
    if made is None:
        return None
    parts = (*key, start)
    dtype = word_dtype(be)
    if within:
        given = be.stack([be.asarray(x, dtype=dtype) for x in parts])
    elif start + count > MASK and dtype is be.uint32:
        return None
    else:
        given = be.asarray(parts, dtype=dtype)
    return made({0: given.native}, (count, least))


def words_by_parts(be: Backend, key: tuple[int, int], start: int, count: int) -> tuple[Array, Array]:
    """Compute `words` outside of programs."""
    made = _in_one_call(be, key, start, count, None, within=False)
    if made is not None:
        return be.wrap(made[0]), be.wrap(made[1])
    if count and "mapped_chunks" in be.facts:  # lazy arrays hold no numbers: one task for each chunk
        numbers = be.arange(start, start + count, dtype=be.int64).native
        one, two = be.ask("mapped_chunks", partial(_words_of_chunk, key), [numbers], {})
        return be.wrap(one), be.wrap(two)
    found = _words_of_host(be, key, start, count)
    if found is not None:
        return found
    if count <= _PART:
        return composed_words(be, key, start, count)
    end = start + count
    parts = [composed_words(be, key, first, min(_PART, end - first)) for first in range(start, end, _PART)]
    return be.concat([one for one, _ in parts]), be.concat([two for _, two in parts])


def _words_of_chunk(key: tuple[int, int], numbers: Array) -> tuple[Array, Array]:
    """Compute the words whose numbers a chunk holds, on the backend of the chunk."""
    return words_by_parts(numbers._backend, key, int(numbers[0]), len(numbers))


def composed_words(be: Backend, key: tuple[Any, Any], start: Any, count: int) -> tuple[Array, Array]:
    """Compute `words` by functions of the backend alone."""
    if word_dtype(be) is be.uint32:
        lower, upper = (start & MASK, start >> 32) if isinstance(start, int) else (start, 0)
        first = be.asarray(lower, dtype=be.uint32)
        numbers = be.arange(count, dtype=be.uint32) + first
        return _encrypted_narrow(be, key, numbers, be.astype(numbers < first, be.uint32) + upper)
    numbers = be.arange(count, dtype=be.int64) + start
    if not hasattr(numbers.native, "__lshift__") or not operators_take_numbers(be):
        return threefry(key, numbers & MASK, numbers >> 32)
    # With the framework's own operators, which compilers follow sooner than those of an Array.
    bare = [part if isinstance(part, int) else part.native for part in key]
    one, two = threefry((bare[0], bare[1]), numbers.native & MASK, numbers.native >> 32)
    return be.wrap(one), be.wrap(two)


def operators_take_numbers(be: Backend) -> bool:
    """Return whether operators of the framework's arrays take Python numbers, as the plugin declares by `scalars`."""
    found = [be.binding(name).implementation for name in _OPERATORS]
    return all(implementation is not None and implementation.options.scalars for implementation in found)


def _words_of_host(be: Backend, key: tuple[Any, Any], start: Any, count: int) -> tuple[Array, Array] | None:
    """Return the words that the accelerator computes, or `None` without it, in graphs and for other devices."""
    if being_recorded() or words_of_host(*key, start, 0) is None or be.empty(0).device != _HOST:
        return None
    if word_dtype(be) is be.uint32:
        return None
    made = words_of_host(*key, start, count)
    if made is None:
        return None
    one, two = (be.asarray(memoryview(part).cast("q")) for part in made)
    return one, two


@accelerated
def words_of_host(one: int, two: int, start: int, count: int, /) -> tuple[bytearray, bytearray] | None:
    """Compute `words` in the memory of the host, as 64-bit integers.

    Only the accelerator does so. Without it, and while a compiler reads the program, the result is `None`.
    """
    return None


def compiled_words(be: Backend, *, within: bool) -> Callable[..., Any] | None:
    """Return the function that makes words in one compiled call, or `None` for a backend without one."""
    if "compiled_composition" not in be.facts:
        return None
    name = "random_words_of_program" if within else "random_words"
    programs = _programs.setdefault(be, {})
    if name not in programs:

        def call(natives: Any, how: Any) -> Any:
            given, (count, least) = natives[0], how
            if isinstance(given, list):
                one, two = words_by_parts(be, (given[0], given[1]), given[2], count)
            else:
                parts = be.wrap(given)
                one, two = composed_words(be, (parts[0], parts[1]), parts[2], count)
            return (one.native, two.native) if least is None else _reaches(be, one, least).native

        programs[name] = be.fact("compiled_composition", name, call)
    return programs[name]


def multiplied(be: Backend, x: Any, factor: int) -> tuple[Any, Any]:
    """Return the upper and the lower words of products of words with an integer of 32 bits, both in uint32."""
    x_upper, x_lower, upper, lower = x >> 16, x & 0xFFFF, factor >> 16, factor & 0xFFFF
    middle = x_upper * lower + (x_lower * lower >> 16)
    other = x_lower * upper + (middle & 0xFFFF)
    return x_upper * upper + (middle >> 16) + (other >> 16), x * be.asarray(factor, dtype=be.uint32)


def fractions(be: Backend, one: Any, two: Any, bits: int) -> Any:
    """Return multiples of `2**-bits` from 0 up to 1, which is excluded, with as many bits as the dtype holds."""
    dtype = widest(be)
    bits = min(bits, 24) if dtype is be.float32 else bits
    whole = one >> 32 - bits if bits <= 32 else (one >> 5 << 26) + (two >> 6)
    return be.astype(whole, dtype) * 2.0**-bits
