"""The `kizuki` command: reads what is asked and the settings, then hands over; nothing heavy is loaded before that."""

from __future__ import annotations

import argparse
import io
import os
import re
import sys
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Final

from dotenv import dotenv_values

from bot import logs
from bot.commands import sayings
from bot.commands.exits import Exit
from bot.settings import SETTINGS, Problem, Settings, SettingsError, read_settings

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

EXIT_CODES: Final = (
    "exit codes: 0 all is well; 1 cannot start, or stopped by a failure, and may work later; 2 wrong settings or usage;\n"
    "3 cannot start until somebody mends what the sentence names (after 2 and 3 starting again is no use)"
)


def main(argv: Sequence[str] | None = None) -> int:
    """Do what the command line asks, and return the exit code."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    asked = command_line().parse_args(argv)
    commands = {
        "run": _run,
        "demo": _demo,
        "check": _check,
        "fetch-model": _fetch_model,
        "calibrate": _calibrate,
        "reembed": _reembed,
        "evaluate": _evaluate,
        "usage": _usage,
        "backup": _backup,
        "restore": _restore,
        "forget": _forget,
        "health": _health,
        "events": _events,
    }
    try:
        return commands[asked.command](environment(Path(".env"), os.environ), asked)
    except SettingsError as error:
        sayings.say(sayings.settings_wrong(error.problems))
        return Exit.BAD_SETTINGS
    except KeyboardInterrupt:
        return Exit.INTERRUPTED


def environment(file: Path, real: Mapping[str, str]) -> dict[str, str]:
    """Return the variables of a .env file, if there is one, under those of the real environment, which win."""
    try:
        written = dotenv_values(file, interpolate=False, encoding="utf-8-sig")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        problem = Problem(str(file), f"cannot be read ({reason})", "Save it as UTF-8 text that this user may read.")
        raise SettingsError((problem,)) from error
    return {name: value or "" for name, value in written.items()} | dict(real)


def command_line() -> argparse.ArgumentParser:
    """Return the grammar of the command line, with the help of every command."""
    top = argparse.ArgumentParser(
        prog="kizuki",
        description="A Discord bot that drills language learners and shows each their own pattern of mistakes.",
        epilog=EXIT_CODES,
    )
    top.add_argument("--version", action="version", version=f"kizuki {version('kizuki')}")
    commands = top.add_subparsers(dest="command", metavar="command", required=True, title="commands")
    _add(
        commands,
        "run",
        "serve Discord until it is stopped",
        "Logs in with DISCORD_TOKEN and serves until SIGTERM or Ctrl-C; answers under way get ten seconds to finish.",
    )
    demo = _add(
        commands,
        "demo",
        "try the bot on a simulated Discord, in a browser",
        "Needs no token and no network: the real bot on a simulated Discord, with a page to try it on. Its data are\n"
        "gone afterwards unless they are kept. Logs errors alone where LOG_LEVEL says nothing.",
    )
    demo.add_argument("--lobby-port", metavar="N", help="port of the first page (KIZUKI_DEMO_LOBBY_PORT)")
    demo.add_argument("--port", metavar="N", help="port of the channel page (KIZUKI_DEMO_PORT)")
    demo.add_argument("--keep", metavar="DIR", type=Path, help="keep the demo's data in this folder")
    _add(
        commands,
        "check",
        "tell everything that stands in the way of run, changing nothing",
        "Looks at the settings, the data folder, the database, the dictionary and the disk. Changes nothing.",
    )
    _add_memory(commands)
    usage = _add(
        commands,
        "usage",
        "tell what the language model was asked for, and what it cost",
        "Prints one line a day, purpose, model and server, in US dollars by the list prices, and how much of today's\n"
        "budget is spent. Changes nothing, and works while the bot runs.",
    )
    usage.add_argument("--days", metavar="N", type=_days, default=30, help="how many days to look back (default 30)")
    usage.add_argument("--json", metavar="FILE", type=Path, help="write the lines there, too")
    events = _add(
        commands,
        "events",
        "tell what the tutor recalled, and why it recalled nothing",
        "Prints one line a turn: ids and scores, no text, and no learner's name. Works while the bot runs.",
    )
    events.add_argument("--days", metavar="N", type=_days, default=7, help="how many days to look back (default 7)")
    events.add_argument("--json", metavar="FILE", type=Path, help="write the lines there, too")
    _add_safety(commands)
    return top


def _add_safety(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add what keeps an operator asleep."""
    _add(
        commands,
        "backup",
        "copy the database into its backups folder, also while the bot runs",
        "Copies what is there at this moment, checks the copy and keeps the newest seven; the bot does the same by itself\n"
        "once a day. Nobody has to wait for it.",
    )
    restore = _add(
        commands,
        "restore",
        "put a backup in the place of the database",
        "Checks the backup first, and refuses while the bot runs. A database that is there is replaced only with\n"
        "--replace, and then it is set aside in the folder replaced/, not lost.",
    )
    restore.add_argument("file", nargs="?", type=Path, help="the backup (default: the newest one of the data folder)")
    restore.add_argument("--replace", action="store_true", help="set the present database aside and take its place")
    forget = _add(
        commands,
        "forget",
        "erase everything of one person, as they could themselves with /mydata delete",
        "For somebody who has left Discord and asks in another way. Without --yes it tells what there is of them, and\n"
        "changes nothing; with --yes the bot must be stopped. Backups hold it until newer ones have taken their place.",
    )
    forget.add_argument("user", metavar="USER_ID", type=_user, help="the person's Discord id, a number")
    forget.add_argument("--yes", action="store_true", help="erase it; it cannot be brought back")
    _add(
        commands,
        "health",
        "tell how the running bot is, part by part",
        "Asks the page that HEALTH_PORT opens on 127.0.0.1: connection to Discord, database, clock, disk, embedder.\n"
        "Exit code 0 when all of them are well, 1 when one is not or nobody answers.",
    )


def _add_memory(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add what an operator does to memory."""
    _add(
        commands,
        "fetch-model",
        "download the model that likens mistakes best",
        "Downloads EMBEDDING_MODEL (about 1.1 GB) into the cache of the Hugging Face hub (HF_HOME), or completes it.\n"
        "The one command that brings a model to this machine; needs kizuki[e5].",
    )
    calibrate = _add(
        commands,
        "calibrate",
        "fit recall to the present embedder, and print how well it does",
        "Fits on the shipped labelled set, on a file if one is given, and on what learners said is not the same\n"
        "mistake once there is enough of it; stores the result in the data folder. The bot must be stopped.",
    )
    calibrate.add_argument("--data", metavar="FILE.csv", type=Path, help="further labelled mistakes, as for evaluate")
    _add(
        commands,
        "reembed",
        "embed every mistake that the present embedder has not seen",
        "After a change of embedder or model. Can be stopped and started again at any time: what is done stays done.\n"
        "The bot must be stopped; it does the same by itself, more slowly, while it runs.",
    )
    evaluate = _add(
        commands,
        "evaluate",
        "measure how well past mistakes are found, themes made, details recalled, or the tutor teaches",
        "Measures on the mistakes of the data folder (the bot must be stopped), on the shipped set when there are none,\n"
        "or on a file. Writes a report in Markdown to stdout, or with --out report, charts and figures to a folder.\n"
        "Columns of a file: learner, exercise_id, cloze, reference, user_answer, error_type, pos, concept, feedback,\n"
        "is_retry, is_junk, date; level if there is one. concept may be empty.\n"
        "detail measures the shipped questions about shipped documents; tutor asks the model that is set up, and reads\n"
        "ratings of people from --data, a rated tutor_sheet.csv beside its tutor_replies.json.",
    )
    evaluate.add_argument("subject", choices=("retrieval", "themes", "detail", "tutor"), help="what is measured")
    data = evaluate.add_mutually_exclusive_group()
    data.add_argument("--data", metavar="FILE.csv", type=Path, help="labelled mistakes, instead of the data folder's")
    data.add_argument("--shipped", action="store_true", help="the labelled set that comes with Kizuki")
    evaluate.add_argument("--json", metavar="FILE", type=Path, help="write the figures there, too")
    evaluate.add_argument("--out", metavar="FOLDER", type=Path, help="write report, charts and figures there")


def _add(
    commands: argparse._SubParsersAction[argparse.ArgumentParser], name: str, line: str, more: str
) -> argparse.ArgumentParser:
    return commands.add_parser(
        name,
        help=line,
        description=more,
        epilog=f"{settings_table()}\n\n{EXIT_CODES}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def settings_table() -> str:
    """List every setting with its meaning and default."""
    lines = [
        f"  {doc.name}\n      {doc.meaning}" + (f" (default {doc.default})" if doc.default else "") for doc in SETTINGS
    ]
    return "\n".join(["settings, from the environment or a file named .env in the present folder:", *lines])


def _run(environ: dict[str, str], _asked: argparse.Namespace) -> int:
    settings = _settings(environ, need_token=True)
    from bot.commands.run import run  # noqa: PLC0415 - Discord is loaded for the commands that speak it

    return run(settings)


def _demo(environ: dict[str, str], asked: argparse.Namespace) -> int:
    flags = {"KIZUKI_DEMO_PORT": asked.port, "KIZUKI_DEMO_LOBBY_PORT": asked.lobby_port}
    environ = {"LOG_LEVEL": "ERROR"} | environ | {name: given for name, given in flags.items() if given}
    settings = _settings(environ, need_token=False)
    from bot.commands.run import demo  # noqa: PLC0415 - as above

    try:
        from bot.demo import PortTaken, serve  # noqa: PLC0415 - the simulator is no part of a plain installation
    except ModuleNotFoundError as error:
        sayings.say(sayings.no_simulator(str(error.name)))
        return Exit.CANNOT_START
    return demo(settings, serve, foreseen=PortTaken, keep=asked.keep)


def _check(environ: dict[str, str], _asked: argparse.Namespace) -> int:
    from bot.commands.check import check  # noqa: PLC0415 - loads the dictionary

    return check(environ)


def _fetch_model(environ: dict[str, str], _asked: argparse.Namespace) -> int:
    settings = _settings(environ, need_token=False)
    from bot.commands.memory import fetch  # noqa: PLC0415 - loads what embeds

    return fetch(settings)


def _calibrate(environ: dict[str, str], asked: argparse.Namespace) -> int:
    settings = _settings({"LOG_LEVEL": "ERROR"} | environ, need_token=False)
    from bot.commands.memory import calibrate  # noqa: PLC0415 - as above

    return calibrate(settings, asked.data)


def _reembed(environ: dict[str, str], _asked: argparse.Namespace) -> int:
    settings = _settings({"LOG_LEVEL": "ERROR"} | environ, need_token=False)
    from bot.commands.memory import reembed  # noqa: PLC0415 - as above

    return reembed(settings)


def _evaluate(environ: dict[str, str], asked: argparse.Namespace) -> int:
    settings = _settings({"LOG_LEVEL": "ERROR"} | environ, need_token=False)
    if asked.subject == "detail":
        from bot.commands.evaluate_detail import evaluate_detail  # noqa: PLC0415 - as above

        return evaluate_detail(settings, asked.json, asked.out)
    if asked.subject == "tutor":
        from bot.commands.evaluate_tutor import evaluate_tutor  # noqa: PLC0415 - as above

        return evaluate_tutor(settings, asked.json, asked.out, asked.data)
    from bot.commands.evaluate import Wanted, evaluate  # noqa: PLC0415 - as above

    return evaluate(settings, Wanted(asked.subject, asked.data, asked.shipped, asked.json, asked.out))


def _usage(environ: dict[str, str], asked: argparse.Namespace) -> int:
    settings = _settings({"LOG_LEVEL": "ERROR"} | environ, need_token=False)
    from bot.commands.usage import usage  # noqa: PLC0415 - as above

    return usage(settings, asked.days, asked.json)


def _backup(environ: dict[str, str], _asked: argparse.Namespace) -> int:
    settings = _settings({"LOG_LEVEL": "ERROR"} | environ, need_token=False)
    from bot.commands.backup import backup  # noqa: PLC0415 - as above

    return backup(settings)


def _restore(environ: dict[str, str], asked: argparse.Namespace) -> int:
    settings = _settings({"LOG_LEVEL": "ERROR"} | environ, need_token=False)
    from bot.commands.backup import restore  # noqa: PLC0415 - as above

    return restore(settings, asked.file, replace=asked.replace)


def _forget(environ: dict[str, str], asked: argparse.Namespace) -> int:
    settings = _settings({"LOG_LEVEL": "ERROR"} | environ, need_token=False)
    from bot.commands.forget import forget  # noqa: PLC0415 - as above

    return forget(settings, asked.user, sure=asked.yes)


def _health(environ: dict[str, str], _asked: argparse.Namespace) -> int:
    settings = _settings({"LOG_LEVEL": "ERROR"} | environ, need_token=False)
    from bot.commands.health import health  # noqa: PLC0415 - it starts as light as it can

    return health(settings)


def _days(text: str) -> int:
    """Read a number of days, 1 or more."""
    if not re.fullmatch(r"[0-9]{1,9}", text) or not int(text):
        raise argparse.ArgumentTypeError("write a whole number of days, 1 or more")
    return int(text)


def _user(text: str) -> int:
    """Read the id of a person on Discord."""
    if not re.fullmatch(r"[1-9][0-9]{0,18}", text) or int(text) >= 1 << 63:
        raise argparse.ArgumentTypeError("a Discord id is a number, such as 80351110224678912")
    return int(text)


def _events(environ: dict[str, str], asked: argparse.Namespace) -> int:
    settings = _settings({"LOG_LEVEL": "ERROR"} | environ, need_token=False)
    from bot.commands.events import events  # noqa: PLC0415 - as above

    return events(settings, asked.days, asked.json)


def _settings(environ: Mapping[str, str], *, need_token: bool) -> Settings:
    settings = read_settings(environ, need_token=need_token)
    logs.configure(settings.log_level, as_json=settings.log_format == "json")
    return settings


if __name__ == "__main__":
    sys.exit(main())
