"""The checks. Each takes the backend and the time at which it should have ended, and returns lines and whether all is good."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

from benchmarks.gpu.places import accelerator, exact, finished, has_gpu, native_device_names, with_transfers

__all__ = ["CHECKS"]

#: Functions that return Python values or arrays of a size that depends on values: they have to wait for the device.
LOOKS = {
    "argwhere", "array_equal", "flatnonzero", "has_nans", "intersect1d", "nonzero", "setdiff1d", "setxor1d", "to_list",
    "to_numpy", "trim_zeros", "union1d", "unique_all", "unique_consecutive", "unique_counts", "unique_inverse", "unique_values",
}  # fmt: skip

#: On a machine without a GPU, every how many-th function is called.
FEWER = 12


def _report(checks: Iterator[tuple[str, Callable[[], Any]]], until: float) -> dict[str, Any]:
    """Run named checks and return a line for each, with the error of those that fail; name those for which no time is left."""
    lines, good, left_out = [], True, []
    for name, check in checks:
        if time.monotonic() > until:
            left_out.append(name)
            continue
        try:
            told = check()
            lines.append(f"{name}: {told if told is not None else 'good'}")
        except Exception as error:
            good = False
            lines.append(f"**{name}**: {type(error).__name__}: {str(error)[:400]}")
        print(lines[-1], flush=True)  # for a process that is killed in the next one
    if left_out:
        lines.append(f"**left out, no time was left**: {', '.join(left_out)}")
    return {"good": good and not left_out, "lines": lines}


def devices(backend: str, until: float) -> dict[str, Any]:
    """Check creation and movement of arrays, soft device mode, and the error about mixed devices."""
    import corearray as ca

    be, there = ca.get_backend(backend), accelerator(backend)

    def on(x: Any, device: str) -> None:
        assert str(x.device) == device, f"{x.device} for {device}"
        if device != "cpu":
            assert not any("cpu" in name.lower() for name in native_device_names(x.native)), native_device_names(
                x.native
            )

    def created() -> None:
        for x in (
            ca.zeros((2, 3), device=there), ca.asarray([1.0, 2.0], device=there), ca.arange(3, device=there),
            ca.eye(3, device=there), ca.linspace(0.0, 1.0, 5, device=there), ca.full((2,), 3, device=there),
        ):  # fmt: skip
            on(x, there)
            on(ca.zeros_like(x), there)
            on(x + 1, there)
            on(x.to_device("cpu"), "cpu")
            on(x.to_device("cpu").to_device(there), there)

    def by_setting() -> None:
        ca.set_default_device(there)
        on(ca.ones(3), there)
        on(ca.random.Generator(1).uniform(shape=3), there)
        ca.unset_default_device()

    def mixed() -> str | None:
        if there == "cpu":
            return "no second device"
        one, two = ca.ones(3, device=there), ca.ones(3, device="cpu")
        for call in (lambda: ca.add(one, two), lambda: one * two, lambda: ca.concat([one, two])):
            try:
                call()
            except ca.DeviceError:
                continue
            raise AssertionError("arrays on two devices were mixed")
        with ca.settings(soft_device_mode=True):
            on(ca.add(one, two), there)
        return None

    def checks() -> Iterator[tuple[str, Callable[[], Any]]]:
        yield "names", lambda: f"{', '.join(map(str, be.devices()))}; used here: {there}"
        yield "creation, `device=`, `to_device`", created
        yield "default device", by_setting
        yield "mixed devices, soft device mode", mixed

    return _report(checks(), until)


def interchange(backend: str, until: float) -> dict[str, Any]:
    """Check that arrays of torch, JAX and CuPy share memory by DLPack."""
    import corearray as ca

    there = accelerator("torch")
    x = ca.get_backend("torch").arange(6, dtype="float32", device=there)

    def jax_shares() -> str:
        y = ca.to_backend(x, "jax", copy=False)
        where = y.native.unsafe_buffer_pointer()
        back = ca.to_backend(y, "torch", copy=False)
        assert back.tolist() == x.tolist()
        assert where == x.native.data_ptr(), "torch to JAX copies"
        assert back.native.data_ptr() == where, "JAX to torch copies"
        kept = ca.to_backend(x, "jax")
        x[0] = 9.0
        assert kept.tolist()[0] == 0.0, "a write into torch's array changes JAX's"
        x[0] = 0.0
        return str(y.device)

    def cupy_shares() -> str:
        if there == "cpu":
            return "needs a GPU"
        import cupy

        shared = cupy.from_dlpack(x)
        assert shared.data.ptr == x.native.data_ptr(), "torch to CuPy copies"
        taken = ca.get_backend("torch").asarray(shared)
        assert taken.native.data_ptr() == shared.data.ptr, "CuPy to torch copies"
        return f"CuPy {cupy.__version__}"

    def checks() -> Iterator[tuple[str, Callable[[], Any]]]:
        yield "torch and JAX", jax_shares
        yield "torch and CuPy", cupy_shares

    return _report(checks(), until)


def random(backend: str, until: float) -> dict[str, Any]:
    """Check that Generators draw the numbers that they draw on CPUs."""
    import numpy as np

    import corearray as ca

    there = accelerator(backend)

    def same(draw: Callable[..., Any], exact: bool) -> Callable[[], str]:
        def check() -> str:
            wanted = np.asarray(draw(None).to_numpy())
            found = np.asarray(draw(there).to_numpy())
            worst = float(np.abs(found.astype("float64") - wanted.astype("float64")).max())
            assert worst == 0 if exact else worst < 1e-5, f"they differ by {worst:g}"
            return f"differ by {worst:g}"

        return check

    def drawn(name: str, *args: Any, **options: Any) -> Callable[..., Any]:
        def draw(device: str | None) -> Any:
            chosen = "numpy" if device is None else backend
            with ca.backend_context(chosen):
                return getattr(ca.random.Generator(7), name)(*args, shape=(1000,), device=device, **options)

        return draw

    def checks() -> Iterator[tuple[str, Callable[[], Any]]]:
        yield "uniform", same(drawn("uniform"), True)
        yield "integers", same(drawn("integers", 0, 1000), True)
        yield "normal", same(drawn("normal"), False)

    return _report(checks(), until)


def samples(backend: str, until: float, part: int = 0, parts: int = 1) -> dict[str, Any]:
    """Call each function of a part with a sample of the kit's: as on NumPy, on the device, and without copies to the host."""
    import numpy as np

    import corearray as ca
    from corearray.contract.declaration import DECLARATIONS
    from corearray.testing.samples import SAMPLES

    be, reference, there = ca.get_backend(backend), ca.get_backend("numpy"), accelerator(backend)

    def through(value: Any, change: Callable[[Any], Any]) -> Any:
        if isinstance(value, np.ndarray):
            return change(value.copy())
        if type(value) in (list, tuple):
            return type(value)(through(item, change) for item in value)
        return {key: through(item, change) for key, item in value.items()} if type(value) is dict else value

    def leaves(value: Any) -> list[Any]:
        if isinstance(value, ca.Array):
            return [value]
        return [leaf for item in value for leaf in leaves(item)] if isinstance(value, (list, tuple)) else []

    def called(owner: Any, name: str, args: Any, options: Any, device: str | None) -> Callable[[], list[Any]]:
        declaration = DECLARATIONS[name]
        function = getattr(owner if declaration.main else getattr(owner, declaration.namespace), name)
        made = through([args, options], lambda value: owner.asarray(value, device=device))

        def call() -> list[Any]:
            with ca.backend_context(owner.name):
                ca.random.seed(0)
                return leaves(function(*made[0], **made[1]))

        return call

    exact(backend)
    names = sorted(set(SAMPLES) & set(DECLARATIONS) - {"empty", "empty_like"})
    names = names[part::parts] if has_gpu() else names[::FEWER]
    wrong, waits, elsewhere, count = [], [], [], 0
    for name in names:
        if time.monotonic() > until:
            break
        args, options = SAMPLES[name][0]
        count += 1
        try:
            wanted = called(reference, name, args, options, None)()
            ca.set_backend(backend)
            call = called(be, name, args, options, there)
            call()  # with what is made at first use
            got, transfers = with_transfers(backend, call)
            if transfers and name not in LOOKS:
                waits.append(name)
            if any(str(x.device) != there for x in got) and leaves(through([args, options], be.asarray)):
                elsewhere.append(name)
            for one, two in zip(wanted, got, strict=True):
                found = np.asarray(two.to_numpy())
                assert (one.shape, one.dtype) == (two.shape, two.dtype), f"{two.dtype}{tuple(two.shape)}"
                assert np.allclose(np.asarray(one.to_numpy()), found, 1e-3, 1e-4, equal_nan=True), "other values"
        except Exception as error:
            wrong.append(f"{name} ({type(error).__name__}: {str(error)[:160]})")
    lines = [
        f"{count} of {len(names)} functions called on {there}",
        f"fail or differ: {'; '.join(wrong) or 'none'}",
        f"results on another device: {', '.join(elsewhere) or 'none'}",
        f"wait for the device or copy to the host: {', '.join(waits) or 'none'}",
    ]
    return {"good": not (wrong or elsewhere) and count == len(names), "lines": lines}


def half(backend: str, until: float) -> dict[str, Any]:
    """Compute in half precision on the device, and compare with float64 on NumPy."""
    import numpy as np

    import corearray as ca

    be, there = ca.get_backend(backend), accelerator(backend)
    calls: dict[str, Callable[[Any, Any, Any], Any]] = {
        "matmul": lambda xp, x, y: xp.matmul(x, y),
        "softmax": lambda xp, x, y: xp.softmax(x),
        "gelu": lambda xp, x, y: xp.gelu(x),
        "layer_norm": lambda xp, x, y: xp.layer_norm(x),
        "sum": lambda xp, x, y: xp.sum(x, axis=0),
        "mean": lambda xp, x, y: xp.mean(x),
        "std": lambda xp, x, y: xp.std(x, axis=1),
        "cumulative_sum": lambda xp, x, y: xp.cumulative_sum(x, axis=1),
        "conv2d": lambda xp, x, y: xp.conv2d(x[None, None, ...], y[None, None, :3, :3]),
        "scaled_dot_product_attention": lambda xp, x, y: xp.scaled_dot_product_attention(
            x[None, ...], y[None, ...], x[None, ...], is_causal=True
        ),
    }
    values = [np.random.default_rng(place).normal(size=(32, 32)) for place in range(2)]

    def check(name: str, dtype: str) -> Callable[[], str]:
        def compare() -> str:
            rounded = [be.asarray(value, dtype=dtype, device=there) for value in values]
            exact = [ca.get_backend("numpy").asarray(np.asarray(x.to_numpy(), "float64")) for x in rounded]
            with ca.backend_context("numpy"):
                wanted = np.asarray(calls[name](ca.get_backend("numpy"), *exact).to_numpy())
            with ca.backend_context(backend):
                result = calls[name](be, *rounded)
            assert result.dtype == dtype, f"the result is {result.dtype}"
            found = np.asarray(result.to_numpy(), "float64")
            worst = float((np.abs(found - wanted) / (1 + np.abs(wanted))).max())
            assert worst < (0.1 if dtype == "bfloat16" else 0.01), f"off by {worst:g}"
            return f"off by {worst:.1e}"

        return compare

    named = ((f"{name} in {dtype}", check(name, dtype)) for dtype in ("float16", "bfloat16") for name in calls)
    return _report(named, until)


def training(backend: str, until: float) -> dict[str, Any]:
    """Time a step of a small GPT beside the step written by hand for the framework's compiler."""
    import corearray as ca
    from benchmarks.training import measured

    there = accelerator(backend)
    if backend == "torch":
        import torch

        if there != "cpu":
            torch.set_default_device("cuda")
        else:
            torch.set_num_threads(1)  # whose threads wait for each other where other programs run
    ca.set_default_device(there)
    name, compiler = ("GPT", "inductor") if there != "cpu" else ("MLP", "aot_eager")
    wait = finished(backend)
    rounds, batch = (8, 5e7) if there != "cpu" else (2, 1e6)
    found = measured(backend, [name], compiler, False, rounds, done=wait, with_facts=False, batch_ns=batch)
    columns = {column: timing["median"] / 1e6 for column, timing in found["rows"][name].items()}
    ratio = found["rows"][name]["corearray"]["ratio"]
    lines = [
        f"{name} on {there}: " + ", ".join(f"{column} {ms:.3f} ms" for column, ms in columns.items()),
        f"ratio {ratio:.2f}",
    ]
    return {"good": _fast_enough(ratio), "lines": lines}


def transpiled(backend: str, until: float) -> dict[str, Any]:
    """Transpile a module of torch to JAX, and time the program beside the module on torch and a twin in JAX."""
    import jax
    import numpy as np
    import torch
    from jax import numpy as jnp

    import corearray as ca
    from benchmarks.timing import looped, measure

    there = accelerator("jax")
    width = 1024 if there != "cpu" else 64
    torch.manual_seed(0)
    module = torch.nn.Sequential(torch.nn.Linear(width, width), torch.nn.GELU(), torch.nn.Linear(width, width)).eval()
    x = torch.randn(64, width)
    with torch.no_grad():
        wanted = module(x).numpy()
    program = ca.transpile(module, x, to="jax")
    own = jnp.asarray(x.numpy())
    weights = [jnp.asarray(parameter.detach().numpy()) for parameter in module.parameters()]

    @jax.jit
    def by_hand(weights: list[Any], x: Any) -> Any:
        hidden = jax.nn.gelu(x @ weights[0].T + weights[1], approximate=False)
        return hidden @ weights[2].T + weights[3]

    place = "cuda" if torch.cuda.is_available() else "cpu"
    module, moved = module.to(place), x.to(place)
    eager = torch.no_grad()(module)

    def call(x: Any) -> Any:
        return ca.to_native(program(x))

    run = jax.jit(call)
    np.testing.assert_allclose(
        np.asarray(run(own)), wanted, 1e-2 if there != "cpu" else 1e-4, 1e-2 if there != "cpu" else 1e-5
    )
    rows = {
        "linear, GELU, linear": {
            "JAX by hand": looped("done(f(w, x))", {"f": by_hand, "done": finished("jax"), "x": own, "w": weights}),
            "transpiled": looped("done(f(x))", {"f": run, "done": finished("jax"), "x": own}),
            "torch": looped("done(f(x))", {"f": eager, "done": finished("torch"), "x": moved}),
        }
    }
    times = measure(rows, 8 if there != "cpu" else 3, batch_ns=2e7)["linear, GELU, linear"]
    ratio = times["transpiled"].ratio
    lines = [f"{column}: {timing.median / 1e6:.3f} ms" for column, timing in times.items()]
    return {
        "good": _fast_enough(ratio),
        "lines": [f"width {width} on {there}", *lines, f"transpiled / by hand: {ratio:.2f}"],
    }


def _fast_enough(ratio: float) -> bool:
    """Judge a time divided by that of code written by hand; on a CPU, which others may use meanwhile, it is only reported."""
    return ratio < 1.25 or not has_gpu()


#: By name.
CHECKS: dict[str, Callable[[str, float], dict[str, Any]]] = {
    "devices": devices,
    "half": half,
    "interchange": interchange,
    "random": random,
    "samples": samples,
    "training": training,
    "transpiled": transpiled,
}
