"""Layers and training: modules whose arrays have names, compiled steps, files of weights."""

from corearray.nn import init
from corearray.nn.containers import ModuleDict, ModuleList, ParameterDict, ParameterList, Sequential
from corearray.nn.files import load, read, read_metadata, save
from corearray.nn.layers import Bilinear, Identity, Linear
from corearray.nn.loading import LoadReport
from corearray.nn.marks import Buffer
from corearray.nn.module import Module
from corearray.nn.precision import Precision
from corearray.nn.report import Progress, draw_curves, progress
from corearray.nn.step import TrainStep, value_and_grad

__all__ = [
    "Bilinear",
    "Buffer",
    "Identity",
    "Linear",
    "LoadReport",
    "Module",
    "ModuleDict",
    "ModuleList",
    "ParameterDict",
    "ParameterList",
    "Precision",
    "Progress",
    "Sequential",
    "TrainStep",
    "draw_curves",
    "init",
    "load",
    "progress",
    "read",
    "read_metadata",
    "save",
    "value_and_grad",
]
