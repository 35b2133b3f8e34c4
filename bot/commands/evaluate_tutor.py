"""`kizuki evaluate tutor`: the same questions with and without knowing the learner, and looked up; judged by fixed points."""

from __future__ import annotations

import json
import sys
import tempfile
import time
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bot.commands import faults, sayings, shelf
from bot.commands.concluding import conclude
from bot.commands.exits import Exit
from bot.commands.progress import Progress
from bot.wiring import CENT, model_of, now, open_database
from lessons.errors import ModelAway
from lessons.evaluation.records import UnusableRecords
from lessons.evaluation.tutor_cases import REPEATS, Arm, shipped_canned, shipped_cases
from lessons.evaluation.tutor_figures import Sample, as_json, measure, prove
from lessons.evaluation.tutor_ratings import read_ratings, sheet
from lessons.evaluation.tutor_report import tutor_report
from lessons.flows.consulting import Consulting
from lessons.model import Away, Caps, Payer, Tokens
from storage.usage import UsageStore

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping, Sequence

    from bot.settings import Settings
    from lessons.evaluation.tutor_cases import Case
    from lessons.evaluation.tutor_ratings import Rating
    from lessons.model import ModelCall, Outcome, UsageId

REPLIES: Final = "tutor_replies.json"
SHEET: Final = "tutor_sheet.csv"
"""What a person rates, and what the ratings are read together with: both lie in one folder."""
REPORT: Final = "tutor.md"
FIGURES: Final = "tutor.json"

_NO_MODEL: Final = "no model is set up"
_NOBODY: Final = Payer(None, None)
_NO_CAP: Final = 1_000_000_000_000
_PASSED_OVER: Final = frozenset({Away.SLOW, Away.REFUSED, Away.NONSENSE})
"""Why one reply may be missing without the rest being given up."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Whatever replies there are, the name of the model, and why it was away at last ("" if it was not)."""

    samples: tuple[Sample, ...]
    model: str = ""
    away: str = ""


class _Metered(UsageStore):
    """The book of costs that also remembers what the last call came to."""

    tokens = Tokens()
    micro_usd = 0

    async def settle(self, usage: UsageId, outcome: Outcome, tokens: Tokens, micro_usd: int, seconds: float) -> None:
        self.tokens, self.micro_usd = tokens, micro_usd
        await super().settle(usage, outcome, tokens, micro_usd, seconds)


def evaluate_tutor(settings: Settings, figures: Path | None, out: Path | None, ratings: Path | None = None) -> Exit:
    """Measure and write the report to a folder, or to stdout. With a rated sheet its replies are judged, none is asked for."""
    return conclude(_evaluate(settings, figures, out, ratings))


async def _evaluate(settings: Settings, figures: Path | None, out: Path | None, ratings: Path | None) -> Exit:
    if out and not ratings and _is_rated(out):
        sayings.say(f"{out / SHEET} has ratings in it, and belongs to its replies: name another folder.")
        return Exit.CANNOT_START
    cases = {case.name: case for case in shipped_cases()}
    proof = prove(shipped_canned(), cases)
    try:
        given = _rated(ratings) if ratings else {}
        asked = _kept(ratings.with_name(REPLIES), cases) if ratings else await _asked(settings, cases)
    except OSError as error:
        sayings.say(faults.unreadable(Path(error.filename or ""), error.strerror or "unknown reason"))
        return Exit.BAD_SETTINGS
    except ValueError:
        sayings.say(
            f"There are no replies to go with {ratings}: {REPLIES} of the same evaluation has to lie beside it."
        )
        return Exit.BAD_SETTINGS
    found = measure(asked.samples, cases, proof, given, (asked.model, asked.away))
    files = {FIGURES: as_json(found), REPORT: tutor_report(found)}
    if not ratings:
        told = {"model": asked.model, "away": asked.away, "samples": [asdict(each) for each in asked.samples]}
        files |= {REPLIES: json.dumps(told, ensure_ascii=False, indent=1) + "\n", SHEET: sheet(asked.samples, cases)}
    return _deliver(files, figures, out)


def _is_rated(out: Path) -> bool:
    """Tell whether a folder holds a sheet that somebody worked on."""
    try:
        return bool(_rated(out / SHEET))
    except OSError:
        return False
    except UnusableRecords:
        return True


def _rated(ratings: Path) -> dict[str, Rating]:
    return read_ratings(ratings.read_bytes())


def _kept(file: Path, cases: Mapping[str, Case]) -> Asked:
    """Return the replies of an earlier evaluation, which lie beside its sheet. Raises ValueError for anything else."""
    told = json.loads(file.read_text(encoding="utf-8"))
    try:
        samples = tuple(Sample(**{**each, "arm": Arm(each["arm"])}) for each in told["samples"])
        asked = Asked(samples, told["model"], told["away"])
    except (KeyError, TypeError) as error:
        raise ValueError("no replies") from error
    if not samples or not all(sample.case in cases for sample in samples):
        raise ValueError("replies to other cases")
    return asked


async def _asked(settings: Settings, cases: Mapping[str, Case]) -> Asked:
    """Let every arm answer; the look-up always can."""
    looked_up = tuple(Sample(case.name, Arm.TEMPLATE, 1, case.look_up()) for case in cases.values())
    model = model_of(settings, now)
    if model is None:
        sayings.say(
            f"There is no language model ({_NO_MODEL}), so only the look-up is measured; set ANTHROPIC_API_KEY."
        )
        return Asked(looked_up, away=_NO_MODEL)
    calls = [
        (case, arm, number) for case in cases.values() for number in range(1, REPEATS + 1) for arm in (Arm.ON, Arm.OFF)
    ]
    name = model.model_of(calls[0][0].call(Arm.ON))
    sayings.say(
        f"{name} is asked {len(calls)} questions; what they cost is booked, and ends at KIZUKI_BOT_CENTS a day."
    )
    try:
        await model.start()
        async with _book(settings) as usage:
            consulting = Consulting(model, usage, Caps(_NO_CAP, _NO_CAP, settings.bot_cents * CENT))
            heard, away = await _heard(consulting, usage, calls)
    finally:
        await model.close()
    return Asked((*heard, *looked_up), name, away)


@asynccontextmanager
async def _book(settings: Settings) -> AsyncIterator[_Metered]:
    """Open the data folder's book of costs; where there is none yet, one that is gone afterwards."""
    with tempfile.TemporaryDirectory() as nowhere:
        folder = settings.data if shelf.is_there(settings.data) else Path(nowhere)
        async with open_database(folder) as database:
            yield _Metered(database)


async def _heard(
    consulting: Consulting, usage: _Metered, calls: Sequence[tuple[Case, Arm, int]]
) -> tuple[list[Sample], str]:
    """Ask one after the other; a reply that is slow or declined is passed over, anything else ends it."""
    progress, heard, away = Progress(), [], ""
    for done, (case, arm, number) in enumerate(calls):
        progress("asking", done, len(calls))
        began = time.monotonic()
        try:
            text = await _reply(consulting, case.call(arm))
        except ModelAway as error:
            away = error.why.value
            if error.why in _PASSED_OVER:
                continue
            break
        spent = usage.tokens
        fresh = spent.input + spent.cache_write_5m + spent.cache_write_1h + spent.cache_read
        seconds = time.monotonic() - began
        heard.append(Sample(case.name, arm, number, text, seconds, fresh, spent.output, usage.micro_usd))
    progress("asking", len(calls), len(calls))
    return heard, away


async def _reply(consulting: Consulting, call: ModelCall) -> str:
    """Return a reply as the model said it: what the bot would have taken out of it is to be seen here."""
    return "".join([piece async for piece in consulting.converse(call, _NOBODY, now())])


def _deliver(files: Mapping[str, str], figures: Path | None, out: Path | None) -> Exit:
    """Write every file to a folder; without one the report alone, to stdout. `figures` is one more place for those."""
    try:
        if figures:
            figures.write_text(files[FIGURES], encoding="utf-8")
        if out is None:
            sys.stdout.write(files[REPORT])
            return Exit.OK
        out.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            (out / name).write_text(text, encoding="utf-8-sig" if name == SHEET else "utf-8")
    except OSError as error:
        sayings.say(faults.unwritable(out or figures, error.strerror or "unknown reason"))  # type: ignore[arg-type]
        return Exit.CANNOT_START
    sayings.say(f"The report is {out / REPORT}, with figures, replies and the sheet for two raters beside it.")
    return Exit.OK
