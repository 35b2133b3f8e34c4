"""The tutor without a model: it looks things up, says so, quotes with its sources, and invents nothing."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import regex

from lessons.model import BLANK, TopicState
from lessons.prompting import GAP
from lessons.text import fold, has_japanese
from lessons.tutoring.minding import quoted
from lessons.tutoring.naming import KINDS, kinds_in
from lessons.tutoring.progressing import APPLIED, FIRST, current

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime

    from lessons.model import ErrorType, Mistake, ProfileLine, Topic
    from lessons.tutoring.speaking import Miss

EXPLANATIONS: Final = 2
MISTAKES: Final = 3
_LINE: Final = 300
_WORD: Final = 40
_POINT: Final = 12  # characters of a point that a question names

LOOK_UP: Final = "This is a look-up, not a conversation: no language model answered."
NO_SCENE: Final = "A role-play needs a language model, and none answers here now. Nothing that you wrote is lost; you can end the scene."

_QUOTATION: Final = regex.compile(r"[「『“\"'`*]([^」』”\"'`*\n]{1,12})[」』”\"'`*]")
_RUN: Final = regex.compile(r"[\p{Hiragana}\p{Katakana}\p{Han}ー]{1,12}")
_ASKS_FOR_PROFILE: Final = regex.compile(
    r"know (?:about|of) me|who am i|my (?:profile|goal|background|level|weak)|about me|私(?:の|について|のこと)|自分について",
    regex.I,
)
_MOST_IN_JAPANESE: Final = 0.5
_JAPANESE: Final = regex.compile(r"[\p{Hiragana}\p{Katakana}\p{Han}]")


@dataclass(frozen=True, slots=True)
class Explanation:
    """A lesson's explanation of one point: the answer it explains, the text, and where it stands."""

    point: str
    text: str
    source: str
    example: str = ""


def points_in(question: str) -> tuple[str, ...]:
    """Return the points of the language that a question names, in their order: what is quoted, else Japanese in it.

    In a question that is itself in Japanese only quotations count.
    """
    quotations = [found for found in _QUOTATION.findall(question) if has_japanese(found)]
    share = len(_JAPANESE.findall(question)) / max(len(regex.sub(r"\s", "", question)), 1)
    runs = [] if quotations or share > _MOST_IN_JAPANESE else _RUN.findall(question)
    return tuple(dict.fromkeys(fold(found) for found in (*quotations, *runs) if fold(found)))


def explained(question: str, explanations: Sequence[Explanation]) -> tuple[Explanation, ...]:
    """Return the explanations of points that the question names, at most two, none of the same point twice.

    Those that speak of more of the named points come first.
    """
    points = points_in(question)
    named = [(place, each) for each in explanations if (place := _place(fold(each.point), points)) is not None]
    ranked = sorted(named, key=lambda found: (-sum(point in fold(found[1].text) for point in points), found[0]))
    first: dict[str, Explanation] = {}
    for _, each in ranked:
        first.setdefault(fold(each.point), each)
    return tuple(first.values())[:EXPLANATIONS]


def _place(point: str, points: Sequence[str]) -> int | None:
    """Return which named point an explanation is of: that very one, or a longer one it stands in (not a single kana)."""
    fits = (place for place, named in enumerate(points) if point == named or (len(point) > 1 and point in named))
    return next(fits, None)


def answer(
    question: str,
    profile: Sequence[ProfileLine],
    mistakes: Sequence[Mistake],
    counts: Mapping[ErrorType, int],
    explanations: Sequence[Explanation],
    exercise: str = "",
) -> str:
    """Look up what a question is about: explanations of the points it names, own counts and past mistakes, an exercise.

    `mistakes` are the nearest past ones, `exercise` is the next gap of that kind, as it is asked. The profile is shown
    where the question asks for it. What there is nothing about is said to be so.
    """
    found = explained(question, explanations)
    kinds = _kinds(question, mistakes)
    parts = [LOOK_UP]
    parts += [_quotation(each) for each in found]
    if profile and _ASKS_FOR_PROFILE.search(question):
        parts.append(
            "\n".join(["What stands in your profile:", *(f"• {quoted(line.text, _LINE)}" for line in profile)])
        )
    parts += list(_counted(kinds, mistakes, counts))
    parts += list(_past(mistakes))
    if len(parts) == 1:
        parts.append(
            "Nothing in the lessons or among your mistakes is about that. Name a particle, a form or a word, as in: は and が."
        )
    return "\n\n".join([*parts, *_offer(exercise, kinds)])


def why(miss: Miss, mistakes: Sequence[Mistake], counts: Mapping[ErrorType, int], exercise: str = "") -> str:
    """Say what is known about one miss: both answers, the explanation with its source, the learner's own pattern."""
    parts = [
        LOOK_UP,
        f"Asked: {_prompt(miss.sentence)}\nYou wrote {_word(miss.typed)}; accepted is {_word(miss.answer)}.",
    ]
    if miss.explanation:
        parts.append(_quotation(Explanation(miss.answer, miss.explanation, miss.source)))
    else:
        parts.append("The lesson gives no reason for it, and why this very answer is wrong cannot be looked up.")
    kinds = _kinds("", mistakes)
    return "\n\n".join([*parts, *_counted(kinds, mistakes, counts), *_past(mistakes), *_offer(exercise, kinds)])


def study_turn(
    topics: Sequence[Topic], mistakes: Sequence[Mistake], explanations: Sequence[Explanation] = (), exercise: str = ""
) -> str:
    """Say the step of the current topic in words, with what the lessons and the learner's own mistakes have on it.

    `topics` are as `advance` left them; `mistakes` of the topic's kind; `explanations` of its point.
    """
    topic = current(topics)
    if not topics:
        return "\n\n".join([LOOK_UP, *_past(mistakes), *_offer(exercise, ())])
    if topic is None:
        return "\n\n".join([LOOK_UP, "Every topic of this study is done.", *_offer(exercise, ())])
    parts = [
        LOOK_UP,
        f"Topic {topic.position + 1} of {len(topics)}: {quoted(topic.title, _LINE)}. {quoted(topic.reason, _LINE)}",
    ]
    if topic.steps <= FIRST:
        parts += [
            f"First step: {quoted(topic.first_step, _LINE)}",
            *(_quotation(each) for each in explanations[:EXPLANATIONS]),
            *_past(mistakes[:1]),
        ]
    elif topic.steps == APPLIED:
        parts += list(_past(mistakes)) or ["You have no mistakes of this kind yet to look at."]
    return "\n\n".join([*parts, *_offer(exercise, (topic.target,) if topic.target else ())])


def study_report(topics: Sequence[Topic], right: int, wrong: int, counts: Mapping[ErrorType, int]) -> str:
    """Close a study with what can be counted: topics, exercises, and what goes wrong most at present."""
    done = [quoted(topic.title, _LINE) for topic in topics if topic.state is TopicState.DONE]
    tried = right + wrong
    lines = [f"Exercises: {tried}, of them {right} right." if tried else "No exercise was answered."]
    if topics:
        lines.insert(0, f"Topics done: {', '.join(done)}." if done else "No topic was finished.")
    most = max(counts, key=lambda kind: counts[kind], default=None)
    if most is not None and counts[most] > 0:
        lines.append(f"What goes wrong most at present: {KINDS[most]} ({_times(counts[most])}).")
    return "\n".join(lines)


def _kinds(question: str, mistakes: Sequence[Mistake]) -> tuple[ErrorType, ...]:
    """Return the kinds at hand: those that the question names, else those of the nearest mistakes, the most frequent first."""
    named = kinds_in(question)
    return named or tuple(kind for kind, _ in Counter(mistake.card.error_type for mistake in mistakes).most_common())


def _counted(kinds: Sequence[ErrorType], mistakes: Sequence[Mistake], counts: Mapping[ErrorType, int]) -> Iterator[str]:
    """Yield how often the first kind that was ever missed was, and when last as far as is known here."""
    kind = next((kind for kind in kinds if counts.get(kind, 0) > 0), None)
    if kind is not None:
        last = max((mistake.at for mistake in mistakes if mistake.card.error_type is kind), default=None)
        when = f", last on {_date(last)}" if last else ""
        yield f"You missed {KINDS[kind]} {_times(counts[kind])}{when}."


def _past(mistakes: Sequence[Mistake]) -> Iterator[str]:
    nearest = list(mistakes)[:MISTAKES]
    if nearest:
        lines = [
            f"• You wrote {_word(each.card.typed)} for {_word(each.card.reference)} in {_prompt(each.card.prompt)} on {_date(each.at)}."
            for each in nearest
        ]
        yield "\n".join([f"Your nearest earlier mistake{'s' if len(lines) > 1 else ''}:", *lines])


def _offer(exercise: str, kinds: Sequence[ErrorType]) -> Iterator[str]:
    """Yield the exercise, or where one can be had."""
    about = f" on {KINDS[kinds[0]]}" if kinds else ""
    yield f"Fill the gap{about}: {_prompt(exercise)}" if exercise else f"The next exercise{about}: /drill."


def _quotation(found: Explanation) -> str:
    example = f"\nExample: {_prompt(found.example)}" if found.example else ""
    source = f" ({quoted(found.source, _LINE)})" if found.source else ""
    return f"{_word(found.point)}: “{quoted(found.text, _LINE)}”{source}{example}"


def _word(text: str) -> str:
    return quoted(text, _WORD) or "∅"


def _prompt(text: str) -> str:
    return quoted(text.replace(BLANK, GAP), _LINE)


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _date(at: datetime) -> str:
    return f"{at:%Y-%m-%d}"
