"""The command `corearray`: reads its arguments, calls the command, and turns errors into exit codes.

0 went well, 1 something that was looked at is not well, 2 the command could not do what was asked, 130 Ctrl-C.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from threading import TIMEOUT_MAX

from corearray.errors import CoreArrayError

__all__ = ["main"]

_RUN_USAGE = "corearray run [--backend NAME | --all [-v] [--draw FILE]] SCRIPT [ARGS...]"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code.

    Parameters
    ----------
    argv
        The arguments; those of the process by default.

    Examples
    --------
    >>> main(["run", "no_such_script.py"])
    2
    """
    command = ""
    try:
        parser = _parser()
        asked = parser.parse_args(argv)
        command = asked.command
        code = _call(parser, asked)
        if sys.stdout is not None:
            sys.stdout.flush()
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130
    except CoreArrayError as error:
        print(f"corearray: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # the reader of a pipe has gone
        _drop_output()
        return 1
    except OSError as error:
        if command == "run":  # the script's own
            raise
        _drop_output()
        print(f"corearray: {error}", file=sys.stderr)
        return 2
    return code


def _drop_output() -> None:
    """Let nothing be said when Python flushes at its end."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _call(parser: argparse.ArgumentParser, asked: argparse.Namespace) -> int:
    if asked.command == "run":
        return _run(parser, asked)
    if asked.command == "list-functions":
        return _list_functions(parser, asked)
    if asked.command == "transpile":
        from corearray.commands.transpile import transpile

        return transpile(
            asked.program,
            asked.to,
            example=asked.example,
            reads=asked.reads,
            check=asked.check,
            write=asked.write,
            native=asked.native,
        )
    if asked.command == "new-backend":
        from corearray.commands.new_backend import new_backend

        return new_backend(asked.name, asked.folder)
    if asked.command == "validate":
        from corearray.commands.validate import validate

        return validate(asked.name, as_json=asked.json, timeout=asked.timeout)
    if asked.command == "list-extensions":
        from corearray.commands.extensions import list_extensions

        return list_extensions(as_json=asked.json, check=asked.check, timeout=asked.timeout)
    from corearray.commands import backends

    if asked.command == "info":
        return backends.info(as_json=asked.json, timeout=asked.timeout)
    return backends.list_backends(as_json=asked.json, check=asked.check, load=asked.load, timeout=asked.timeout)


def _list_functions(parser: argparse.ArgumentParser, asked: argparse.Namespace) -> int:
    from corearray.commands.functions import KINDS, list_functions

    if asked.kind is not None and asked.kind not in KINDS:
        parser.error(f"list-functions: there is no kind '{asked.kind}'; kinds are {', '.join(KINDS)}")
    if asked.source and asked.stages is None:
        parser.error("list-functions: --source needs --stages NAME")
    return list_functions(
        backend=asked.backend, kind=asked.kind, missing=asked.missing, as_json=asked.json, stages=asked.stages,
        source=asked.source, timeout=asked.timeout,
    )  # fmt: skip


def _run(parser: argparse.ArgumentParser, asked: argparse.Namespace) -> int:
    asked.args = _options_behind(parser, asked)
    if asked.all and asked.backend is not None:
        parser.error("run: --backend and --all exclude each other")
    if asked.draw is not None and not asked.all:
        parser.error("run: --draw needs --all")
    if asked.all:
        from corearray.commands.run_all import run_all

        return run_all(asked.script, asked.args, verbose=asked.verbose, picture=asked.draw)
    from corearray.commands.run import run

    return run(asked.script, asked.args, asked.backend)


def _options_behind(parser: argparse.ArgumentParser, asked: argparse.Namespace) -> list[str]:
    """Take `--backend`, `--all` and the options of the latter from behind the script; the rest is the script's own."""
    waiting: list[str] = list(asked.args)
    own: list[str] = []
    asked.all = asked.all or "--all" in waiting[: waiting.index("--") if "--" in waiting else None]
    while waiting:
        word = waiting.pop(0)
        if word == "--":
            return own + waiting
        if word == "--backend":
            if not waiting:
                parser.error("run: --backend needs a name")
            asked.backend = waiting.pop(0)
        elif word.startswith("--backend="):
            asked.backend = word.partition("=")[2]
        elif asked.all and word in ("-v", "--verbose"):
            asked.verbose = True
        elif asked.all and word.partition("=")[0] == "--draw":
            if "=" not in word and not waiting:
                parser.error("run: --draw needs a file")
            asked.draw = word.partition("=")[2] or waiting.pop(0)
        elif word != "--all":
            own.append(word)
    return own


def _parser() -> argparse.ArgumentParser:
    from corearray import __version__

    parser = argparse.ArgumentParser(prog="corearray", description="One array program on every framework.")
    parser.add_argument("--version", action="version", version=f"corearray {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)

    listing = commands.add_parser(
        "list-backends",
        help="show what is installed and whether it can be used",
        description="Show each installed backend, whether it can be used and, if not, why. No framework is imported.",
    )
    listing.add_argument("--json", action="store_true", help="print a list of objects")
    listing.add_argument("--check", action="store_true", help="exit with 1 if an installed backend is not ready")
    listing.add_argument(
        "--load", action="store_true", help="load each one, in a process of its own, and count its functions"
    )
    _add_timeout(listing)

    extensions = commands.add_parser(
        "list-extensions",
        help="show the installed extensions and whether they can be used",
        description="Show each installed extension, the backends to which it applies and, if it is not used, why. No "
        "backend is loaded; list-backends --load also shows conflicts.",
    )
    extensions.add_argument("--json", action="store_true", help="print a list of objects")
    extensions.add_argument("--check", action="store_true", help="exit with 1 if an installed extension is not ready")
    _add_timeout(extensions)

    functions = commands.add_parser(
        "list-functions",
        help="show for each function what computes it on each backend, and why",
        description="Show which candidate computes each function on each ready backend (the framework's own function, "
        "the core's composition, or a guarded pair of both) and what decided. Each backend is loaded in a process of "
        "its own.",
    )
    functions.add_argument("--backend", metavar="NAME", help="this backend only")
    functions.add_argument(
        "--kind",
        metavar="KIND",
        help="primary, compositional, mixed, partial-mixed, standalone, nestable or convenience functions only",
    )
    functions.add_argument("--missing", action="store_true", help="what nobody implements only")
    functions.add_argument("--json", action="store_true", help="print a list of objects")
    functions.add_argument("--stages", metavar="FUNCTION", help="the stages around one function, the innermost first")
    functions.add_argument("--source", action="store_true", help="with --stages: the generated text too")
    _add_timeout(functions)

    info = commands.add_parser(
        "info",
        help="show versions and settings, for bug reports",
        description="Show what a bug report needs: versions, platform, settings, backends.",
    )
    info.add_argument("--json", action="store_true", help="print an object")
    _add_timeout(info)

    transpile = commands.add_parser(
        "transpile",
        help="run a program of one framework on another, or see what is missing",
        description="Record a function or module of a framework and say which of its calls have no rule. The program and "
        "its example arguments are named by the module in which they stand; it is imported from this folder.",
    )
    transpile.add_argument("program", metavar="MODULE:NAME", help="the function or module")
    transpile.add_argument("--to", metavar="BACKEND", required=True, help="the backend on which it is to run")
    transpile.add_argument(
        "--example",
        metavar="NAME",
        default="example",
        help="what holds the example arguments in that module: a tuple, or a function that returns one; by default 'example'",
    )
    transpile.add_argument(
        "--reads", choices=("refuse", "assume"), default="refuse", help="what becomes of reads of elements"
    )
    what = transpile.add_mutually_exclusive_group()
    what.add_argument("--check", action="store_true", help="print the report; exit with 1 if something is missing")
    what.add_argument(
        "--write",
        metavar="FILE",
        help="write a module to keep (.py) with its arrays beside it (.npz), or the program with its arrays in one file",
    )
    transpile.add_argument(
        "--native", action="store_true", help="with --write FILE.py: call the target's framework, without corearray"
    )

    validate = commands.add_parser(
        "validate",
        help="check one installed backend without calling its functions",
        description="Check everything about an installed backend that can be known without calling its functions: the "
        "description, version ranges, the signature of each implementation, overlapping variants, implementations that "
        "are never reached, primary functions that are missing. All problems are listed; exit code 1 if there is one.",
    )
    validate.add_argument("name", metavar="NAME", help="the backend")
    validate.add_argument("--json", action="store_true", help="print an object")
    _add_timeout(validate)

    new = commands.add_parser(
        "new-backend",
        help="write a plugin project for a framework of your own",
        description="Write a project that makes a framework a backend: description, implementations of the primary "
        "functions, conformance test, CI. As it comes it computes with a stand-in for the framework and passes its tests.",
    )
    new.add_argument("name", metavar="NAME", help="the backend's name, a lower-case Python identifier")
    new.add_argument("--folder", metavar="PATH", default=".", help="where to write 'corearray-NAME'; by default here")

    run = commands.add_parser(
        "run",
        help="run a script on one backend or on all",
        usage=_RUN_USAGE,
        description="Run a script with a backend in force. --backend and --all may stand behind the script too; its "
        "other arguments are its own, as is everything after '--'.",
        epilog="With --all each ready backend gets a process of its own, one after the other, and a table compares "
        "them: how long the script ran (without the framework's import), and, if it leaves a dictionary 'result', its "
        "'accuracy' and the greatest difference of any number in it from the first backend's. --draw FILE draws the list "
        "'losses' of each backend's result into one picture.",
        allow_abbrev=False,
    )
    run.add_argument(
        "--backend", metavar="NAME", help="the backend; by default COREARRAY_BACKEND or what the arrays say"
    )
    run.add_argument("--all", action="store_true", help="run on every ready backend and compare")
    run.add_argument(
        "-v", "--verbose", action="store_true", help="with --all: show the script's output also where it went well"
    )
    run.add_argument("--draw", metavar="FILE", help="with --all: draw the curves of 'losses' into one picture, SVG")
    run.add_argument("script", metavar="SCRIPT", help="a Python file")
    arguments = run.add_argument("args", metavar="ARGS", nargs=argparse.REMAINDER, help="arguments of the script")
    arguments.required = False  # or a message says that they are
    return parser


def _add_timeout(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--timeout",
        metavar="SECONDS",
        type=_seconds,
        help="how long one plugin may take; by default 30 to describe itself and 120 to be loaded",
    )


def _seconds(text: str) -> float:
    seconds = float(text)
    if not seconds > 0:
        raise argparse.ArgumentTypeError(f"{text} is not a time greater than 0")
    return min(seconds, TIMEOUT_MAX)
