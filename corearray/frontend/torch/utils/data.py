"""torch.utils.data on every backend: data sets, and the loader that makes batches of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import corearray as ca
from corearray.errors import CoreArrayNotImplementedError, CoreArrayValueError
from corearray.frontend.frontend import get_frontend
from corearray.frontend.torch.wrapper import Tensor

__all__ = [
    "BatchSampler", "ConcatDataset", "DataLoader", "Dataset", "IterableDataset", "RandomSampler", "Sampler",
    "SequentialSampler", "Subset", "SubsetRandomSampler", "TensorDataset", "WeightedRandomSampler", "default_collate",
    "get_worker_info", "random_split",
]  # fmt: skip


class Dataset:
    """A data set: a derived class has `__getitem__` and `__len__`."""

    def __class_getitem__(cls, item: Any) -> Any:
        """Return the class, as `Dataset[...]` in annotations."""
        return cls

    def __add__(self, other: Any) -> ConcatDataset:
        return ConcatDataset([self, other])


class IterableDataset(Dataset):
    """A data set: a derived class has `__iter__`, and `__len__` if its length is known."""

    def __iter__(self) -> Iterator[Any]:
        raise CoreArrayNotImplementedError("an IterableDataset has a method '__iter__'")


class TensorDataset(Dataset):
    """Tensors of the same length; an item is a tuple of a row of each."""

    def __init__(self, *tensors: Any) -> None:
        if len({x.shape[0] for x in tensors}) != 1:
            raise CoreArrayValueError(
                f"'TensorDataset' takes tensors of one length, got {[x.shape[0] for x in tensors]}"
            )
        self.tensors = tensors

    def __getitem__(self, index: Any) -> tuple[Any, ...]:
        return tuple(x[index] for x in self.tensors)

    def __len__(self) -> int:
        return int(self.tensors[0].shape[0])


class Subset(Dataset):
    """The items of a data set at some places."""

    def __init__(self, dataset: Any, indices: Sequence[int]) -> None:
        self.dataset, self.indices = dataset, indices

    def __getitem__(self, index: Any) -> Any:
        return self.dataset[self.indices[index]]

    def __len__(self) -> int:
        return len(self.indices)


class ConcatDataset(Dataset):
    """Data sets one behind the other."""

    def __init__(self, datasets: Any) -> None:
        self.datasets = list(datasets)

    def __getitem__(self, index: int) -> Any:
        place = index + len(self) if index < 0 else index
        for dataset in self.datasets:
            if place < len(dataset):
                return dataset[place]
            place -= len(dataset)
        raise IndexError(f"index {index} is outside of a data set of {len(self)} items")

    def __len__(self) -> int:
        return sum(map(len, self.datasets))


def random_split(dataset: Any, lengths: Sequence[float], generator: Any = None) -> list[Subset]:
    """Divide a data set at random into parts of some lengths, or of shares that add up to one."""
    count = len(dataset)
    sizes = [int(n) for n in lengths]
    if math.isclose(sum(lengths), 1) and sum(lengths) <= 1 + 1e-9 and all(n <= 1 for n in lengths):
        sizes = [math.floor(count * share) for share in lengths]
        for i in range(count - sum(sizes)):
            sizes[i % len(sizes)] += 1
    if sum(sizes) != count:
        raise CoreArrayValueError("Sum of input lengths does not equal the length of the input dataset!")
    order = _shuffled(count, generator)
    starts = [sum(sizes[:i]) for i in range(len(sizes))]
    return [Subset(dataset, order[start : start + size]) for start, size in zip(starts, sizes, strict=True)]


def _shuffled(count: int, generator: Any = None) -> list[int]:
    order: list[int] = (generator or ca.random.default_generator()).permutation(count).tolist()
    return order


class Sampler:
    """The order of items: a derived class has `__iter__` and `__len__`."""

    def __init__(self, data_source: Any = None) -> None:
        self.data_source = data_source

    def __iter__(self) -> Iterator[int]:
        raise CoreArrayNotImplementedError("a sampler has a method '__iter__'")

    def __len__(self) -> int:
        return len(self.data_source)


class SequentialSampler(Sampler):
    """The items in their order."""

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self.data_source)))


class RandomSampler(Sampler):
    """The items in a random order: each once, or drawn with `replacement`."""

    def __init__(
        self, data_source: Any, replacement: bool = False, num_samples: int | None = None, generator: Any = None
    ) -> None:
        super().__init__(data_source)
        self.replacement, self.generator = replacement, generator
        self.num_samples = len(data_source) if num_samples is None else num_samples

    def __iter__(self) -> Iterator[int]:
        count = len(self.data_source)
        if self.replacement:
            drawn = (self.generator or ca.random.default_generator()).integers(0, count, shape=self.num_samples)
            yield from drawn.tolist()
            return
        for start in range(0, self.num_samples, max(count, 1)):
            yield from _shuffled(count, self.generator)[: self.num_samples - start]

    def __len__(self) -> int:
        return self.num_samples


class SubsetRandomSampler(Sampler):
    """Some numbers of items in a random order."""

    def __init__(self, indices: Sequence[int], generator: Any = None) -> None:
        super().__init__(indices)
        self.indices, self.generator = indices, generator

    def __iter__(self) -> Iterator[int]:
        return iter([self.indices[i] for i in _shuffled(len(self.indices), self.generator)])


class WeightedRandomSampler(Sampler):
    """Numbers of items that are drawn with probabilities in proportion to weights."""

    def __init__(self, weights: Any, num_samples: int, replacement: bool = True, generator: Any = None) -> None:
        super().__init__(weights)
        self.weights = get_frontend("torch").as_tensor(weights, dtype=ca.float32)
        self.num_samples, self.replacement, self.generator = num_samples, replacement, generator

    def __iter__(self) -> Iterator[int]:
        drawn = self.weights.multinomial(self.num_samples, self.replacement, generator=self.generator)
        return iter(drawn.tolist())

    def __len__(self) -> int:
        return self.num_samples


class BatchSampler(Sampler):
    """Lists of the numbers that another sampler gives."""

    def __init__(self, sampler: Any, batch_size: int, drop_last: bool) -> None:
        super().__init__(sampler)
        self.sampler, self.batch_size, self.drop_last = sampler, batch_size, drop_last

    def __iter__(self) -> Iterator[Any]:
        return _groups(self.sampler, self.batch_size, self.drop_last)

    def __len__(self) -> int:
        count = len(self.sampler)
        return count // self.batch_size if self.drop_last else math.ceil(count / self.batch_size)


def get_worker_info() -> None:
    """Return nothing: items are made in the process of the program."""


def default_collate(batch: Sequence[Any]) -> Any:
    """Return a batch of items: tensors and arrays are stacked, numbers become a tensor, trees stay trees."""
    first = batch[0]
    if isinstance(first, Tensor):
        return first._frontend.stack(list(batch))
    if isinstance(first, Mapping):
        return {key: default_collate([item[key] for item in batch]) for key in first}
    if isinstance(first, (tuple, list)):
        made = [default_collate(column) for column in zip(*batch, strict=True)]
        return type(first)(*made) if hasattr(first, "_fields") else made
    if isinstance(first, (str, bytes)):
        return list(batch)
    torch = get_frontend("torch")
    if isinstance(first, float):
        return torch.tensor(list(batch), dtype=ca.float64)
    if isinstance(first, (bool, int)):
        return torch.tensor(list(batch))
    return torch.stack([torch.as_tensor(item) for item in batch])


class DataLoader:
    """Batches of a data set, made in this process and in the order of torch's loader.

    Parameters
    ----------
    dataset
        Object with `__getitem__` and `__len__`, or with `__iter__`.
    batch_size
        Number of items in a batch; `None` gives single items.
    shuffle, sampler, batch_sampler
        The order: at random, by numbers of items, or by lists of numbers.
    collate_fn
        Function that makes a batch of a list of items, by default `default_collate`.
    drop_last
        Whether a last, smaller batch is left out.
    generator
        The generator that `shuffle` draws from, by default that of the context.
    options
        Those that decide how processes and memory are used, such as `num_workers` and `pin_memory`, have no effect.
    """

    def __init__(
        self, dataset: Any, batch_size: int | None = 1, shuffle: bool | None = None, sampler: Any = None,
        batch_sampler: Any = None, num_workers: int = 0, collate_fn: Callable[..., Any] | None = None,
        pin_memory: bool = False, drop_last: bool = False, timeout: float = 0, worker_init_fn: Any = None,
        generator: Any = None, **options: Any,
    ) -> None:  # fmt: skip
        if sampler is not None and shuffle:
            raise CoreArrayValueError("sampler option is mutually exclusive with shuffle")
        self.dataset, self.batch_size, self.drop_last = dataset, batch_size, drop_last
        self.sampler: Any = sampler
        if sampler is None and not isinstance(dataset, IterableDataset):
            self.sampler = RandomSampler(dataset, generator=generator) if shuffle else SequentialSampler(dataset)
        self.batch_sampler = batch_sampler
        self.collate_fn = collate_fn or (default_collate if batch_size or batch_sampler else _as_tensor)

    def _places(self) -> Iterator[Any]:
        if self.batch_sampler is not None:
            yield from self.batch_sampler
        elif self.batch_size is None:
            yield from self.sampler
        else:
            yield from _groups(self.sampler, self.batch_size, self.drop_last)

    def __iter__(self) -> Iterator[Any]:
        single = self.batch_size is None and self.batch_sampler is None
        if isinstance(self.dataset, IterableDataset):
            items: Any = iter(self.dataset)
            yield from map(self.collate_fn, items if single else _groups(items, self.batch_size or 1, self.drop_last))
            return
        for place in self._places():
            yield self.collate_fn(self.dataset[place] if single else [self.dataset[i] for i in place])

    def __len__(self) -> int:
        if self.batch_sampler is not None:
            return len(self.batch_sampler)
        items: Any = self.dataset if isinstance(self.dataset, IterableDataset) else self.sampler
        count = len(items)
        size = self.batch_size or 1
        return count // size if self.drop_last else math.ceil(count / size)


def _groups(items: Any, size: int, drop_last: bool) -> Iterator[list[Any]]:
    group: list[Any] = []
    for item in items:
        group.append(item)
        if len(group) == size:
            yield group
            group = []
    if group and not drop_last:
        yield group


def _as_tensor(item: Any) -> Any:
    return item
