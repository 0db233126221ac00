"""TensorFlow's operations as its functions call them: inputs become arrays of one dtype, which the operation must allow.

`raw.AddV2(x, y)` converts `x` and `y` as TensorFlow does, refuses other pairs of dtypes, and calls the rule of
`tensorflow.raw_ops.AddV2`. Inputs that are not listed here, such as axes and shapes, are passed as they are.

Source: the operations' definitions in TensorFlow 2.21 (`tensorflow/core/ops`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import corearray as ca
from corearray.errors import FunctionNotImplementedError
from corearray.frontend.tensorflow.conversion import alike, tensor
from corearray.frontend.tensorflow.exceptions import InvalidArgumentError

__all__ = ["DTYPES_OF", "INPUTS", "allowed", "raw"]

#: Sets of dtypes by letters; other words are names of dtypes.
_LETTERS = {
    "b": "bool", "i": "int8 int16 int32 int64", "u": "uint8 uint16 uint32 uint64", "h": "float16 bfloat16",
    "f": "float32 float64", "c": "complex64 complex128",
}  # fmt: skip

#: Operations by the dtypes that they allow, each with the inputs that share a dtype; a star marks a list of inputs.
_DEFINITIONS = """
any:
    BatchMatrixDiag(diagonal) BatchToSpaceND(input) BroadcastTo(input) Cast(x) Concat(values*) ConcatV2(values*)
    ConjugateTranspose(x) DeepCopy(x) DepthToSpace(input) DynamicPartition(data) DynamicStitch(data*) Einsum(inputs*) Equal(x,y)
    ExpandDims(input) Gather(params) GatherNd(params) GatherV2(params) LowerBound(sorted_inputs,values)
    MatrixBandPart(input) MatrixDiag(diagonal) MatrixDiagPart(input) MatrixDiagPartV2(input,padding_value)
    MatrixDiagPartV3(input,padding_value) MatrixDiagV2(diagonal,padding_value) MatrixDiagV3(diagonal,padding_value)
    MatrixSetDiagV2(input,diagonal) MatrixSetDiagV3(input,diagonal) MirrorPad(input) NotEqual(x,y)
    OneHot(on_value,off_value) Pack(values*) Pad(input) PadV2(input,constant_values) ParallelDynamicStitch(data*)
    Reshape(tensor) ReverseSequence(input) Roll(input) ScatterNd(updates) Select(x,y) SelectV2(t,e) Shape(input)
    Slice(input) SpaceToBatchND(input) SpaceToDepth(input) Split(value) SplitV(value) Squeeze(input)
    StridedSlice(input) TensorScatterAdd(tensor,updates) TensorScatterMax(tensor,updates)
    TensorScatterMin(tensor,updates) TensorScatterSub(tensor,updates) TensorScatterUpdate(tensor,updates)
    TensorStridedSliceUpdate(input,value) Tile(input) Transpose(x) Unique(x) Unpack(value)
    UpperBound(sorted_inputs,values) ZerosLike(x)
b:
    All(input) Any(input) LogicalAnd(x,y) LogicalNot(x) LogicalOr(x,y)
biuhf:
    ArgMax(input) ArgMin(input)
biuhfc:
    OnesLike(x) ReverseV2(tensor) Where(condition)
c:
    Angle(input) ComplexAbs(x) Conj(input) FFT(input) FFT2D(input) FFT3D(input) IFFT(input) IFFT2D(input)
    IFFT3D(input) IRFFT(input) IRFFT2D(input) Imag(input) Real(input)
f:
    Complex(real,imag) NextAfter(x1,x2) Polygamma(a,x) RFFT(input) RFFT2D(input) Zeta(x,q)
f int32 int64:
    Bincount(weights) DenseBincount(weights)
fc float16:
    Cholesky(input) LogMatrixDeterminant(input) MatrixDeterminant(input) MatrixExponential(input) MatrixInverse(input)
    MatrixSolve(matrix,rhs) Qr(input) SelfAdjointEigV2(input) Svd(input)
float32:
    FusedBatchNorm(x,scale,offset,mean,variance)
h float32:
    FusedBatchNormV2(x) FusedBatchNormV3(x) LRN(input) MaxPool3D(input)
hf:
    Atan2(y,x) AvgPool(value) AvgPool3D(input) BesselI0(x) BesselI0e(x) BesselI1(x) BesselI1e(x) Ceil(x) Conv3D(input,filter)
    CumulativeLogsumexp(x) DepthwiseConv2dNative(input,filter) Digamma(x) Elu(features) Erf(x) Erfc(x) Erfinv(x)
    Floor(x) HSVToRGB(images) Igamma(a,x) Igammac(a,x) IsFinite(x) IsInf(x) IsNan(x) L2Loss(t) LeakyRelu(features) Lgamma(x)
    LinSpace(start,stop) LogSoftmax(logits) Ndtri(x) RGBToHSV(images) Rint(x) Selu(features) Softmax(logits)
    SoftmaxCrossEntropyWithLogits(features,labels) Softplus(features) Softsign(features)
    SparseSoftmaxCrossEntropyWithLogits(features)
hf int32:
    Conv(input,filter) Conv2D(input,filter)
hf int32 int64:
    Mod(x,y) TruncateMod(x,y)
hfc:
    Acos(x) Acosh(x) Asin(x) Asinh(x) Atan(x) Atanh(x) Cos(x) Cosh(x) DivNoNan(x,y) Exp(x) Expm1(x) Log(x) Log1p(x)
    MatrixTriangularSolve(matrix,rhs) MulNoNan(x,y) Rsqrt(x) Sigmoid(x) Sin(x) Sinh(x) Sqrt(x) Tan(x) Tanh(x)
    Xdivy(x,y) Xlog1py(x,y) Xlogy(x,y)
hfc int32 int64:
    BatchMatMul(x,y) Diag(diagonal) DiagPart(input) SquaredDifference(x,y)
ihf:
    Abs(x)
ihf uint16 uint32 uint64:
    Range(start,limit,delta)
ihf uint16 uint8:
    MaxPool(input) MaxPoolV2(input) ResizeBicubic(images) ResizeBilinear(images) ResizeNearestNeighbor(images)
ihfc:
    Inv(x) Neg(x) Pow(x,y) Reciprocal(x) Round(x) Sign(x)
ihfc uint8:
    Add(x,y)
int32 int64:
    InTopKV2(targets,k) InvertPermutation(x) RandomUniformInt(minval,maxval)
iu:
    BitwiseAnd(x,y) BitwiseOr(x,y) BitwiseXor(x,y) Invert(x) LeftShift(x,y) PopulationCount(x) RightShift(x,y)
iuhf:
    Cross(a,b) FloorMod(x,y) Greater(x,y) GreaterEqual(x,y) Less(x,y) LessEqual(x,y) Max(input) Maximum(x,y)
    Min(input) Minimum(x,y) Relu(features) Relu6(features) TopK(input) TopKV2(input) UnsortedSegmentMax(data)
    UnsortedSegmentMin(data)
iuhfc:
    AddN(inputs*) AddV2(x,y) ApproximateEqual(x,y) BiasAdd(value,bias) BiasAddV1(value,bias)
    ClipByValue(t,clip_value_min,clip_value_max) Cumprod(x) Cumsum(x) Div(x,y) EuclideanNorm(input) FloorDiv(x,y)
    Mean(input) Mul(x,y) Prod(input) RealDiv(x,y) Square(x) Sub(x,y) Sum(input) TruncateDiv(x,y)
    UnsortedSegmentProd(data) UnsortedSegmentSum(data)
uhfc int16 int32 int64:
    BatchMatMulV2(x,y)
uhfc int32 int64:
    MatMul(a,b)
"""


def _dtypes(words: str) -> frozenset[str] | None:
    """Return the names of dtypes of a line; `None` stands for all."""
    if words == "any":
        return None
    found: list[str] = []
    for word in words.split():
        if word[-1].isdigit():
            found.append(word)
        else:
            for letter in word:
                found += _LETTERS[letter].split()
    return frozenset(found)


def _read(text: str) -> tuple[dict[str, tuple[str, ...]], dict[str, frozenset[str] | None]]:
    inputs: dict[str, tuple[str, ...]] = {}
    dtypes: dict[str, frozenset[str] | None] = {}
    for words, operations in re.findall(r"^(\w[\w ]*):\n((?:    .*\n)+)", text, re.MULTILINE):
        for name, names in re.findall(r"(\w+)\(([^)]*)\)", operations):
            inputs[name] = tuple(names.split(","))
            dtypes[name] = _dtypes(words)
    return inputs, dtypes


#: The inputs of an operation that share a dtype, and the dtypes that it allows.
INPUTS, DTYPES_OF = _read(_DEFINITIONS)


def allowed(name: str, dtype: ca.DType, words: frozenset[str] | None) -> None:
    """Refuse a dtype that an operation does not take.

    Raises
    ------
    InvalidArgumentError
        If the dtype is none of the words.
    """
    if words is not None and str(dtype) not in words:
        raise InvalidArgumentError(
            f"'{name}' takes no tensors of dtype {dtype}; it takes {', '.join(sorted(words))}. Convert them with tf.cast"
        )


class _RawOps:
    """The operations by their names, as functions of inputs and attributes."""

    def __getattr__(self, name: str) -> Callable[..., Any]:
        """Find an operation, and keep it."""
        from corearray.frontend.frontend import get_frontend

        rule = get_frontend("tensorflow").rule(f"tensorflow.raw_ops.{name}")
        if rule is None:
            raise FunctionNotImplementedError(f"there is no rule for 'tensorflow.raw_ops.{name}'")
        made = _converting(name, rule.function)
        self.__dict__[name] = made
        return made


def _converting(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    names = INPUTS.get(name, ())
    words = DTYPES_OF.get(name)
    fixed = ca.bool if words == frozenset({"bool"}) else None
    order = function.__code__.co_varnames

    def operation(*args: Any, **options: Any) -> Any:
        given = {**dict(zip(order, args, strict=False)), **options}
        if len(names) == 1 and not names[0].endswith("*"):
            x = given[names[0]] = tensor(given[names[0]], hint=fixed)
            allowed(name, x.dtype, words)
        elif names:
            arrays = alike(name, _listed(names, given), hint=fixed)
            allowed(name, arrays[0].dtype, words)
            _put(names, given, arrays)
        return function(**given)

    operation.__name__ = operation.__qualname__ = name
    return operation


def _listed(names: tuple[str, ...], given: dict[str, Any]) -> list[Any]:
    found: list[Any] = []
    for name in names:
        found += list(given[name[:-1]]) if name.endswith("*") else [given[name]]
    return found


def _put(names: tuple[str, ...], given: dict[str, Any], arrays: list[ca.Array]) -> None:
    rest = list(arrays)
    for name in names:
        if name.endswith("*"):
            count = len(given[name[:-1]])
            given[name[:-1]], rest = rest[:count], rest[count:]
        else:
            given[name] = rest.pop(0)


raw = _RawOps()
