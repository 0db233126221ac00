"""corearray: one array program for every framework."""

from corearray.array import Array
from corearray.functional.elementwise import *
from corearray.functional.trigonometric import *
from corearray.manager import *
from corearray.dtypes import *

__version__ = "0.1.0"
