"""The frameworks' own functions on corearray arrays: rules by the frameworks' names, versions, and transpiling."""

from corearray.frontend.description import FrontendInfo
from corearray.frontend.frontend import Frontend, get_frontend, rule
from corearray.frontend.table import Rule, Table

__all__ = ["Frontend", "FrontendInfo", "Rule", "Table", "get_frontend", "rule"]
