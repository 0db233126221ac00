"""torch.distributions: values, gradients, shapes, transforms, constraints and divergences against torch in float64."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
import torch as native
from frontend.conftest import TARGET

import corearray as ca
import corearray.frontend.torch as torch

ON_TORCH = TARGET == "torch"
not_on_jax = pytest.mark.skipif(TARGET == "jax", reason="JAX compiles each function for each shape: minutes in all")

pytestmark = [
    pytest.mark.filterwarnings(
        "ignore:.* encountered in:RuntimeWarning"
    ),  # NumPy's, of infinities and NaN that are right
    pytest.mark.filterwarnings("ignore:Singular sample:UserWarning"),  # torch's, of samples that are not
]


@pytest.fixture(autouse=True)
def on_target(target):
    with ca.backend_context(target):
        yield


def T(x):  # noqa: N802
    return native.tensor(x, dtype=native.float64)


def mine(x):
    if not isinstance(x, native.Tensor):
        return x
    made = torch.tensor(x.tolist(), dtype=getattr(torch, str(x.dtype).removeprefix("torch.")))
    return made.requires_grad_() if x.requires_grad else made


def close(found, wanted, tolerance=1e-7):
    wanted = wanted.detach().numpy()
    found = np.asarray(ca.to_numpy(found.detach().array))
    assert found.shape == wanted.shape
    assert found.dtype == wanted.dtype
    np.testing.assert_allclose(found, wanted, rtol=tolerance, atol=tolerance)


TRIL = T([[1.0, 0.0], [0.5, 2.0]])
COVARIANCE = TRIL @ TRIL.T
PLACES, SCALES, SHAPES, INSIDE = T([0.5, -1.0]), T([1.0, 2.0]), T([1.5, 3.0]), T([0.3, 0.7])
SIMPLEX, ODDS = T([0.3, 0.2, 0.5]), T([0.3, 0.6, -1.0])
#: Name, parameters, and a value.
CASES = [
    ("Bernoulli", {"logits": T([0.5, -3.0])}, T([1.0, 0.0])),
    ("Bernoulli", {"probs": T([0.5, 0.2])}, T([1.0, 0.0])),
    ("Beta", {"concentration1": SHAPES, "concentration0": SCALES}, INSIDE),
    ("Binomial", {"total_count": 4, "probs": T([0.5, 0.25])}, T([1.0, 3.0])),
    ("Categorical", {"logits": T([[0.5, -3.0, 1.0], [0.0, 1.0, 2.0]])}, native.tensor([1, 2])),
    ("Cauchy", {"loc": PLACES, "scale": SCALES}, INSIDE),
    ("Chi2", {"df": SHAPES}, INSIDE),
    ("ContinuousBernoulli", {"probs": T([0.3, 0.5])}, INSIDE),
    ("Dirichlet", {"concentration": T([0.5, 3.0, 1.0])}, SIMPLEX),
    ("Exponential", {"rate": SCALES}, INSIDE),
    ("FisherSnedecor", {"df1": SHAPES, "df2": T([5.0, 3.0])}, INSIDE),
    ("Gamma", {"concentration": SHAPES, "rate": SCALES}, INSIDE),
    ("Geometric", {"probs": T([0.5, 0.25])}, T([1.0, 3.0])),
    ("Gumbel", {"loc": PLACES, "scale": SCALES}, INSIDE),
    ("HalfCauchy", {"scale": SCALES}, INSIDE),
    ("HalfNormal", {"scale": SCALES}, INSIDE),
    ("InverseGamma", {"concentration": T([2.5, 3.0]), "rate": SCALES}, INSIDE),
    ("Kumaraswamy", {"concentration1": SHAPES, "concentration0": SCALES}, INSIDE),
    ("LKJCholesky", {"dim": 3, "concentration": T([1.5, 0.7])}, T([[1, 0, 0], [0.6, 0.8, 0], [0.6, 0.0, 0.8]])),
    ("Laplace", {"loc": PLACES, "scale": SCALES}, INSIDE),
    ("LogNormal", {"loc": PLACES, "scale": SCALES}, INSIDE),
    ("LogisticNormal", {"loc": PLACES, "scale": SCALES}, SIMPLEX),
    ("LowRankMultivariateNormal", {"loc": PLACES, "cov_factor": T([[0.5], [2.0]]), "cov_diag": SCALES}, INSIDE),
    ("Multinomial", {"total_count": 5, "probs": T([0.5, 3.0, 1.0])}, T([1.0, 3.0, 1.0])),
    ("MultivariateNormal", {"loc": T([[0.5, 3.0], [0.0, 1.0]]), "scale_tril": TRIL}, INSIDE),
    ("MultivariateNormal", {"loc": PLACES, "covariance_matrix": COVARIANCE}, INSIDE),
    ("MultivariateNormal", {"loc": PLACES, "precision_matrix": COVARIANCE}, INSIDE),
    ("NegativeBinomial", {"total_count": T([4.0, 2.0]), "probs": T([0.5, 0.25])}, T([1.0, 3.0])),
    ("Normal", {"loc": PLACES, "scale": SCALES}, INSIDE),
    ("OneHotCategorical", {"probs": T([0.5, 3.0])}, T([1.0, 0.0])),
    ("OneHotCategoricalStraightThrough", {"logits": ODDS}, T([1.0, 0.0, 0.0])),
    ("Pareto", {"scale": T([0.2, 0.5]), "alpha": SHAPES}, INSIDE),
    ("Poisson", {"rate": SHAPES}, T([1.0, 3.0])),
    ("RelaxedBernoulli", {"temperature": T([0.7]), "probs": INSIDE}, INSIDE),
    ("RelaxedOneHotCategorical", {"temperature": T([0.7]), "logits": ODDS}, SIMPLEX),
    ("StudentT", {"df": SHAPES, "loc": PLACES, "scale": SCALES}, INSIDE),
    ("Uniform", {"low": T([0.0, -1.0]), "high": SCALES}, INSIDE),
    ("VonMises", {"loc": PLACES, "concentration": T([1.5, 30.0])}, INSIDE),
    ("Weibull", {"scale": SHAPES, "concentration": SCALES}, INSIDE),
    ("Wishart", {"df": T(3.5), "scale_tril": TRIL}, COVARIANCE),
    ("Wishart", {"df": T(3.5), "precision_matrix": COVARIANCE}, COVARIANCE),
]
#: The distributions are written in torch's words, whose rules have tests on each backend: the others get some of them.
ELSEWHERE = ("ContinuousBernoulli", "Kumaraswamy", *(("LKJCholesky", "Wishart") if TARGET != "jax" else ()))
CHOSEN = [case for case in CASES if ON_TORCH or case[0] in ELSEWHERE]
MOMENTS = ("mean", "mode", "variance", "entropy")


def made(package, name, options):
    to = mine if package is torch else (lambda x: x)
    return getattr(package.distributions, name)(**{key: to(x) for key, x in options.items()})


def asked(distribution, name, *args):
    """Return an attribute or the result of a method, `None` where there is none."""
    try:
        found = getattr(distribution, name)
        return found(*args) if callable(found) else found
    except NotImplementedError:
        return None


@pytest.mark.parametrize(("name", "options", "value"), CHOSEN, ids=[case[0] for case in CHOSEN])
def test_distributions(name, options, value):
    theirs, ours = made(native, name, options), made(torch, name, options)
    ones, others = ours.expand((3, *ours.batch_shape)), theirs.expand((3, *theirs.batch_shape))
    for found, wanted in ((ours, theirs), (ones, others)):
        assert (found.batch_shape, found.event_shape) == (tuple(wanted.batch_shape), tuple(wanted.event_shape))
        close(found.log_prob(mine(value)), wanted.log_prob(value), 1e-6)
        drawn = found.sample((2,))
        assert drawn.shape == tuple(wanted.sample((2,)).shape)
        assert bool(found.log_prob(drawn).isfinite().all())  # and so within the support
    for attribute in MOMENTS:
        if (attribute, name) == ("entropy", "Poisson"):
            continue  # torch has none of its own
        wanted = asked(theirs, attribute)
        assert (asked(ours, attribute) is None) == (wanted is None)
        if wanted is not None:
            close(asked(ours, attribute), wanted, 1e-6)
    for method in ("cdf", "icdf"):
        wanted = asked(theirs, method, value)
        assert (asked(ours, method, mine(value)) is None) == (wanted is None)
        if wanted is not None:
            close(asked(ours, method, mine(value)), wanted)
    if theirs.has_enumerate_support:
        close(ours.enumerate_support(), theirs.enumerate_support())
    assert ours.has_rsample == theirs.has_rsample
    assert repr(ours).partition("(")[0] == name


@pytest.mark.skipif(not ON_TORCH, reason="derivatives of the functions have tests on each backend")
@pytest.mark.parametrize(("name", "options", "value"), CASES, ids=[case[0] for case in CASES])
def test_gradients(name, options, value):
    results = []
    for package in (native, torch):
        given = {
            key: x.clone().requires_grad_() if isinstance(x, native.Tensor) and x.is_floating_point() else x
            for key, x in options.items()
        }
        given = {key: mine(x) for key, x in given.items()} if package is torch else given
        distribution = getattr(package.distributions, name)(**given)
        total = distribution.log_prob(mine(value) if package is torch else value).sum()
        entropy = None if name == "Poisson" else asked(distribution, "entropy")
        (total if entropy is None else total + entropy.sum()).backward()
        results.append([x.grad for x in given.values() if hasattr(x, "requires_grad") and x.requires_grad])
    for found, wanted in zip(results[1], results[0], strict=True):
        if name == "Wishart" and wanted.dim() == 2:  # torch has slopes for the zeros above the diagonal too
            close(found.tril(), wanted.tril())
        else:
            close(found, wanted, 1e-5)


SAMPLED = [
    ("Kumaraswamy", {"concentration1": SHAPES, "concentration0": SCALES}),
    ("Wishart", {"df": T(3.5), "scale_tril": TRIL}),
    ("NegativeBinomial", {"total_count": T([4.0, 2.0]), "probs": T([0.5, 0.25])}),
    ("LowRankMultivariateNormal", {"loc": PLACES, "cov_factor": T([[0.5], [2.0]]), "cov_diag": SCALES}),
    ("ContinuousBernoulli", {"probs": T([0.3, 0.5])}),
    ("Weibull", {"scale": SHAPES, "concentration": SCALES}),
]


@not_on_jax
@pytest.mark.parametrize(("name", "options"), SAMPLED if ON_TORCH else SAMPLED[:1])
def test_samples_have_the_moments(name, options):
    torch.manual_seed(0)
    distribution = made(torch, name, options)
    drawn = ca.to_numpy(distribution.sample((3000,)).array)
    mean, variance = (ca.to_numpy(x.array) for x in (distribution.mean, distribution.variance))
    assert (np.abs(drawn.mean(0) - mean) < 5 * np.sqrt(variance / 3000)).all()
    np.testing.assert_allclose(drawn.var(0), variance, rtol=0.25)


@not_on_jax
def test_angles_and_correlations_have_the_moments():
    torch.manual_seed(0)
    angles = torch.distributions.VonMises(T_(0.5), T_(1.5)).sample((2000,))
    assert abs(float(angles.cos().mean()) - math.cos(0.5) * 0.5965) < 0.06  # I1(1.5) / I0(1.5)
    factor = torch.distributions.LKJCholesky(3, T_(1.0)).sample((2000,))
    products = torch.matmul(factor, factor.mT)
    assert abs(float((products[:, 0, 1] ** 2).mean()) - 1 / 4) < 0.03  # a beta number on -1 to 1, of parameters 3/2


def T_(x):  # noqa: N802
    return torch.tensor(x, dtype=torch.float64)


# --- divergences


@pytest.mark.skipif(not ON_TORCH, reason="written in torch's words, whose rules have tests on each backend")
def test_divergences_of_all_pairs():
    shifted = {
        name: {
            key: x * 1.25 if isinstance(x, native.Tensor) and name != "Binomial" and key != "low" else x
            for key, x in options.items()
        }
        for name, options, _ in CASES
    }
    cases = {name: options for name, options, _ in CASES}
    theirs, ours = ({name: made(package, name, x) for name, x in cases.items()} for package in (native, torch))
    others, also = ({name: made(package, name, x) for name, x in shifted.items()} for package in (native, torch))
    seen = 0
    for one, other in itertools.product(cases, shifted):
        try:
            wanted = native.distributions.kl_divergence(theirs[one], others[other])
        except (NotImplementedError, ValueError, RuntimeError):  # none, or vectors of other sizes
            continue
        close(torch.distributions.kl_divergence(ours[one], also[other]), wanted)
        seen += 1
    assert seen > 90
    known = {(p.__name__, q.__name__) for p, q in torch.distributions.kl._KNOWN}
    assert {(p.__name__, q.__name__) for p, q in native.distributions.kl._KL_REGISTRY} <= known


@not_on_jax
def test_divergences_on_the_edge():
    for build in (
        lambda d, c: (d.Bernoulli(c(T([0.0, 1.0, 0.5]))), d.Bernoulli(c(T([0.5, 0.5, 0.0])))),
        lambda d, c: (d.Categorical(c(T([0.5, 0.5, 0.0]))), d.Categorical(c(T([0.0, 0.5, 0.5])))),
        lambda d, c: (d.Uniform(c(T([-1.0, 0.5])), 2.0), d.Uniform(c(T([0.0, 0.0])), 2.0)),
        lambda d, c: (d.Pareto(c(T([1.0, 1.0])), c(T([0.5, 3.0]))), d.Normal(c(T([1.0, 1.0])), 2.0)),
        lambda d, c: (d.Normal(c(T([1.0, 1.0])), 1.0), d.Exponential(c(T([1.0, 2.0])))),
    ):
        found, wanted = build(torch.distributions, mine), build(native.distributions, lambda x: x)
        close(torch.distributions.kl_divergence(*found), native.distributions.kl_divergence(*wanted))


def test_divergences_of_kinds_of_ones_own():
    distributions = torch.distributions

    class One(distributions.Normal):
        pass

    class Other(distributions.Normal):
        pass

    distributions.register_kl(One, distributions.Normal)(lambda p, q: 1)
    assert distributions.kl_divergence(One(0.0, 1.0), Other(0.0, 1.0)) == 1
    distributions.register_kl(distributions.Normal, Other)(lambda p, q: 2)
    with pytest.warns(RuntimeWarning, match=r"register_kl\(One, Other\)"):
        assert distributions.kl_divergence(One(0.0, 1.0), Other(0.0, 1.0)) == 1
    with pytest.raises(NotImplementedError, match="p type One and q type LKJCholesky"):
        distributions.kl_divergence(One(0.0, 1.0), distributions.LKJCholesky(2))


# --- transforms and constraints

V, P, M = T([0.3, -0.7, 0.2]), T([0.3, 0.7, 1.2]), T([[0.3, 0.2, 1.0], [0.5, -0.2, 0.1], [1.0, 0.2, 0.3]])
TRANSFORMS = {
    "abs": (lambda t, c, d: t.AbsTransform(), V),
    "affine": (lambda t, c, d: t.AffineTransform(c(V), c(P), event_dim=1), V),
    "cat": (lambda t, c, d: t.CatTransform([t.ExpTransform(), t.AffineTransform(0.0, 2.0)], -1, [1, 2]), V),
    "cdf": (lambda t, c, d: t.CumulativeDistributionTransform(d.Normal(c(T(0.0)), c(T(1.0)))), V),
    "compose": (lambda t, c, d: t.ComposeTransform([t.AffineTransform(0.0, -2.0), t.StickBreakingTransform()]), V),
    "corr": (lambda t, c, d: t.CorrCholeskyTransform(), V),
    "definite": (lambda t, c, d: t.PositiveDefiniteTransform(), M),
    "exp": (lambda t, c, d: t.ExpTransform(), V),
    "identity": (lambda t, c, d: t.identity_transform, V),
    "independent": (lambda t, c, d: t.IndependentTransform(t.SigmoidTransform(), 1), V),
    "lower": (lambda t, c, d: t.LowerCholeskyTransform(), M),
    "power": (lambda t, c, d: t.PowerTransform(c(V)), P),
    "reshape": (lambda t, c, d: t.ReshapeTransform((3, 3), (9,)), M),
    "softmax": (lambda t, c, d: t.SoftmaxTransform(), V),
    "softplus": (lambda t, c, d: t.SoftplusTransform(), V),
    "stack": (lambda t, c, d: t.StackTransform([t.ExpTransform(), t.TanhTransform(), t.identity_transform], -1), V),
}


@pytest.mark.parametrize("name", TRANSFORMS if ON_TORCH else ["corr"])
def test_transforms(name):
    build, x = TRANSFORMS[name]
    theirs = build(native.distributions.transforms, lambda x: x, native.distributions)
    ours = build(torch.distributions.transforms, mine, torch.distributions)
    given, wanted = mine(x), theirs(x)
    found = ours(given)
    close(found, wanted)
    close(ours.inv(found), theirs.inv(wanted))
    assert ours.inv.inv is ours
    assert ours.bijective == theirs.bijective
    assert tuple(ours.forward_shape(given.shape)) == tuple(wanted.shape)
    assert (repr(ours.domain), repr(ours.codomain)) == (repr(theirs.domain), repr(theirs.codomain))
    slope, sign = asked(theirs, "log_abs_det_jacobian", x, wanted), asked(theirs, "sign")
    assert (asked(ours, "log_abs_det_jacobian", given, found) is None) == (slope is None)
    if slope is not None:
        close(ours.log_abs_det_jacobian(given, found), slope)
        close(ours.inv.log_abs_det_jacobian(found, given), -slope)
    if isinstance(sign, native.Tensor):
        close(ours.sign, sign)
    else:
        assert asked(ours, "sign") == sign
    kept = ours.with_cache()
    if name not in ("compose", "identity", "independent"):  # these leave it to their parts
        assert kept.inv(kept(given)) is given


@not_on_jax
def test_regions_and_their_transforms():
    theirs, ours = native.distributions, torch.distributions
    for name in (
        "real",
        "positive",
        "unit_interval",
        "simplex",
        "corr_cholesky",
        "lower_cholesky",
        "positive_definite",
    ):
        x = M if name in ("lower_cholesky", "positive_definite") else V
        for registry in ("biject_to", "transform_to"):
            region = getattr(theirs.constraints, name), getattr(ours.constraints, name)
            wanted = asked(theirs, registry, region[0])
            assert (asked(ours, registry, region[1]) is None) == (wanted is None)
            if wanted is not None:
                made = getattr(ours, registry)(region[1])(mine(x))
                close(made, wanted(x))
                assert bool(region[1].check(made).all())
    for build in (
        lambda c: c.interval(1.0, 3.0), lambda c: c.greater_than(2.0), lambda c: c.less_than(2.0),
        lambda c: c.independent(c.positive, 1), lambda c: c.stack([c.positive, c.real, c.unit_interval], -1),
        lambda c: c.cat([c.positive, c.real], -1, [1, 2]),
    ):  # fmt: skip
        one, other = build(ours.constraints), build(theirs.constraints)
        close(ours.transform_to(one)(mine(V)), theirs.transform_to(other)(V))
        assert one.check(mine(P)).tolist() == other.check(P).tolist()
    for name, values in {
        "boolean": V, "one_hot": T([0.0, 1.0, 0.0]), "simplex": SIMPLEX, "nonnegative_integer": T([1.0, 0.5, -1.0]),
        "symmetric": M, "square": M, "positive_semidefinite": COVARIANCE, "positive_definite": -COVARIANCE,
        "lower_triangular": M, "corr_cholesky": TRIL, "real_vector": V,
    }.items():  # fmt: skip
        found = getattr(ours.constraints, name).check(mine(values)).tolist()
        assert found == getattr(theirs.constraints, name).check(values).tolist()
    assert ours.constraints.is_dependent(ours.Uniform.support)
    assert not ours.constraints.is_dependent(ours.Normal.support)
    with pytest.raises(NotImplementedError, match="Cannot transform Boolean"):
        ours.biject_to(ours.constraints.boolean)


# --- distributions made of others


@not_on_jax
def test_mixtures_and_transformed_distributions():
    results = []
    for package, to in ((native, lambda x: x), (torch, mine)):
        d = package.distributions
        parts = d.Independent(d.Normal(to(T([[0.0, 1.0], [2.0, 3.0]])), to(T([[1.0, 2.0], [1.0, 1.0]]))), 1)
        mixture = d.MixtureSameFamily(d.Categorical(to(T([0.3, 0.7]))), parts)
        numbers = d.MixtureSameFamily(d.Categorical(to(T([0.3, 0.7]))), d.Normal(to(PLACES), to(SCALES)))
        logistic = d.TransformedDistribution(
            d.Uniform(to(T(0.0)), to(T(1.0))),
            [d.SigmoidTransform().inv, d.AffineTransform(to(PLACES), to(T([2.0, -3.0])))],
        )
        x = to(INSIDE)
        results.append(
            [mixture.mean, mixture.variance, mixture.log_prob(x), mixture.expand((3,)).log_prob(x), numbers.cdf(x),
             logistic.log_prob(x), logistic.cdf(x), logistic.icdf(x), logistic.expand((4, 2)).log_prob(x)]
        )  # fmt: skip
        shapes = [mixture.sample((5,)), mixture.expand((3,)).sample((2,)), logistic.expand((4, 2)).rsample()]
        assert [tuple(x.shape) for x in shapes] == [(5, 2), (2, 3, 2), (4, 2)]
        with pytest.raises(ValueError, match=r"[Mm]ixture"):
            d.MixtureSameFamily(parts, parts)
        with pytest.raises(ValueError, match="must be a Transform or"):
            d.TransformedDistribution(parts, [1])
    for found, wanted in zip(results[1], results[0], strict=True):
        close(found, wanted)


def test_distributions_of_ones_own():
    d = torch.distributions

    class Named(d.Normal):
        def __init__(self, loc, scale, name):
            self.name = name
            super().__init__(loc, scale)

        def expand(self, batch_shape, _instance=None):
            new = self._get_checked_instance(Named, _instance)
            new.name = self.name
            return super().expand(batch_shape, _instance=new)

    found = Named(0.0, 1.0, "x").expand((2,))
    assert (type(found), found.name, found.loc.shape) == (Named, "x", (2,))
    assert repr(d.Normal(torch.zeros(2), 1.0)) == repr(native.distributions.Normal(native.zeros(2), 1.0))


def test_gradients_where_probabilities_were_first_asked_without():
    with ca.backend_context(TARGET if "reverse_mode" in ca.get_backend(TARGET).facts else "torch"):
        logits = torch.tensor([0.0, 1.0], requires_grad=True)
        distribution = torch.distributions.Bernoulli(logits=logits)
        distribution.sample()
        distribution.probs.sum().backward()
        assert float(logits.grad[0]) == pytest.approx(0.25)


@pytest.mark.parametrize("alpha", [0.5, 4.0] if ON_TORCH else [0.5])
def test_gradients_flow_through_samples(alpha):
    with ca.backend_context(TARGET if "reverse_mode" in ca.get_backend(TARGET).facts else "torch"):
        torch.manual_seed(0)
        loc, scale = torch.tensor(1.0, requires_grad=True), torch.tensor(2.0, requires_grad=True)
        x = torch.distributions.Normal(loc, scale).rsample((5,))
        x.sum().backward()
        assert float(scale.grad) == pytest.approx(float((x.detach().sum() - 5) / 2), rel=1e-5)
        assert float(loc.grad) == 5
        a = torch.tensor(alpha, requires_grad=True)
        drawn = torch.distributions.Gamma(a, 1.0).rsample((50,))
        drawn.sum().backward()
        samples = native.tensor(drawn.detach().tolist())
        wanted = native._standard_gamma_grad(native.full((50,), alpha, dtype=native.float64), samples.double()).sum()
        assert float(a.grad) == pytest.approx(float(wanted), rel=1e-3)


@not_on_jax
def test_exponential_families_by_their_normalisers():
    with ca.backend_context(TARGET if "reverse_mode" in ca.get_backend(TARGET).facts else "torch"):
        family = torch.distributions.ExponentialFamily
        for name, options, _ in CASES:
            if name in ("Bernoulli", "ContinuousBernoulli", "Exponential", "Gamma", "Normal", "Wishart"):
                found = made(torch, name, options)
                close(family.entropy(found), made(native, name, options).entropy(), 1e-5)


# --- errors


@not_on_jax
@pytest.mark.parametrize(
    "call",
    [
        lambda d, c: d.Bernoulli(c(T(1.5))),
        lambda d, c: d.Beta(c(T(1.0)), c(T(1.0))).log_prob(c(T(2.0))),
        lambda d, c: d.Categorical(c(T([0.5, 0.5]))).log_prob(c(T(3.0))),
        lambda d, c: d.Dirichlet(c(T(1.0))),
        lambda d, c: d.LKJCholesky(1),
        lambda d, c: d.LogNormal(0.0, -1.0),
        lambda d, c: d.Multinomial(3, c(T([0.5, 0.5]))).log_prob(c(T([2.0, 3.0]))),
        lambda d, c: d.MultivariateNormal(c(T([0.0, 0.0])), c(T([[1.0, 2.0], [2.0, 1.0]]))),
        lambda d, c: d.Normal(c(T([0.0, 1.0])), 1.0).log_prob(c(T([0.0, 1.0, 2.0]))),
        lambda d, c: d.Normal(0.0, 1.0).log_prob(0.5),
        lambda d, c: d.OneHotCategorical(c(T([-0.5, 1.5]))),
        lambda d, c: d.Uniform(1.0, 0.0),
        lambda d, c: d.Wishart(c(T(1.0)), covariance_matrix=c(T([[1.0, 0.0], [0.0, 1.0]]))),
        lambda d, c: d.transforms.AffineTransform(0.0, 1.0, cache_size=2),
    ],
)
def test_mistakes(call, monkeypatch):
    monkeypatch.setattr(native.distributions.Distribution, "_validate_args", True)  # which torch's compiler turns off
    with pytest.raises(ValueError):
        call(native.distributions, lambda x: x)
    with pytest.raises(ca.errors.CoreArrayValueError):
        call(torch.distributions, mine)


def test_messages_and_switches():
    d = torch.distributions
    with pytest.raises(
        ValueError, match=r"'Normal' got a parameter scale outside of its region GreaterThan\(lower_bound"
    ):
        d.Normal(torch.zeros(1), torch.zeros(1))
    with pytest.raises(ValueError, match="'Beta' got a value outside of its support Interval"):
        d.Beta(1.0, 1.0).log_prob(torch.tensor(2.0))
    with pytest.raises(ValueError, match="Either `probs` or `logits`"):
        d.Categorical()
    assert float(d.Normal(0.0, -1.0, validate_args=False).mean) == 0
    d.Distribution.set_default_validate_args(False)
    try:
        assert float(d.Normal(0.0, -1.0).mean) == 0
    finally:
        d.Distribution.set_default_validate_args(True)


@pytest.mark.skipif(TARGET not in ("jax", "tensorflow"), reason="for backends whose compilers trace")
def test_compiled_programs_are_not_checked():
    def program(x):
        normal = torch.distributions.Normal(torch.Tensor(x), 1.0)
        return normal.log_prob(torch.Tensor(x) + 1).array

    np.testing.assert_allclose(ca.to_numpy(ca.compile(program)(ca.zeros(2))), [-1.4189385] * 2, rtol=1e-6)


@pytest.mark.skipif(not ON_TORCH, reason="a device of torch on which nothing is computed")
@pytest.mark.parametrize(
    "make",
    [
        lambda d, x: d.Cauchy(x, 1.0),
        lambda d, x: d.ContinuousBernoulli(x),
        lambda d, x: d.Gumbel(x, 1.0),
        lambda d, x: d.Gamma(x, 1.0),
        lambda d, x: d.HalfNormal(x),
        lambda d, x: d.LKJCholesky(3, x),
        lambda d, x: d.LowRankMultivariateNormal(x, x.unsqueeze(-1), x),
        lambda d, x: d.MultivariateNormal(x, precision_matrix=x.diag()),
        lambda d, x: d.MixtureSameFamily(d.Categorical(x), d.Normal(x, 1.0)),
        lambda d, x: d.Normal(x, 1.0),
        lambda d, x: d.RelaxedOneHotCategorical(0.5, x),
        lambda d, x: d.Uniform(0.0, x),
    ],
)
def test_samples_are_on_the_device_of_the_parameters(make):
    x = torch.Tensor(ca.asarray(native.tensor([0.25, 0.75], device="meta")))
    torch.distributions.Distribution.set_default_validate_args(False)
    try:
        made = make(torch.distributions, x)
        sample = made.sample((3,))
        assert sample.device.type == made.log_prob(sample).device.type == "meta"
    finally:
        torch.distributions.Distribution.set_default_validate_args(True)
