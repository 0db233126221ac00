"""What `docs/writing-a-backend.md` promises to authors of plugins: a plugin that was complete stays so.

The list is that of the first release in the current range of versions; it is written anew when the range changes.
"""

from __future__ import annotations

import corearray as ca
from corearray import plugin, testing
from corearray.contract.declaration import DECLARATIONS
from corearray.contract.validation import problems_of
from corearray.contract.versions import matches

RANGE = ">=0.1,<0.2"

PRIMARY = set(
    """
    add arange argmax argsort asarray astype atan2 bitwise_and bitwise_left_shift bitwise_right_shift broadcast_to
    cholesky concat conj copysign cos cumulative_prod cumulative_sum det divide eig eigh equal exp fft floor
    floor_divide from_dlpack get_item imag less log matmul max multiply nextafter nonzero permute_dims pow prod qr
    real remainder reshape sin solve sqrt subtract sum svd take to_list to_numpy where
    """.split()
)
FACTS = "'array_types', 'dtypes', 'set_item'"
EXPORTS = {
    plugin: "ArrayApiPlugin BackendInfo Device Via axis_lengths axis_pairs hookimpl matches read_equation",
    testing: "Capabilities Conformance Known",
}


def test_the_list_is_that_of_this_range():
    assert matches(ca.__version__, RANGE)


def test_no_function_becomes_primary():
    assert {name for name, declaration in DECLARATIONS.items() if not declaration.compositional} <= PRIMARY


def test_no_fact_becomes_compulsory():
    assert problems_of([], "1.0", lambda hook: True, ()) == [f"the hooks {FACTS} are missing"]


def test_no_export_goes():
    for module, names in EXPORTS.items():
        assert set(names.split()) <= set(module.__all__)
