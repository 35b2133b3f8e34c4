"""How a study goes on: which step of which topic comes next, said to the tutor with the goal it serves."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from lessons.model import TopicState
from lessons.tutoring.fencing import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lessons.model import Topic

FIRST: Final = 1
APPLIED: Final = 2
EXERCISE: Final = 3
LEARNT: Final = EXERCISE + 2
"""`Topic.steps`: the first step was taken, it was applied, exercises came; each right one counts, and two are enough."""

_QUOTED: Final = 240


class Event(StrEnum):
    """What happened in a study."""

    OPENED = "opened"  # or taken up again
    TALKED = "talked"
    EXERCISE_WANTED = "exercise_wanted"
    EXERCISE_RIGHT = "exercise_right"
    EXERCISE_WRONG = "exercise_wrong"
    NEXT_WANTED = "next_wanted"


def current(topics: Sequence[Topic]) -> Topic | None:
    """Return the topic at hand: the one that is current, else the first that lies ahead; None when all are done."""
    open_ones = [topic for topic in topics if topic.state is not TopicState.DONE]
    return next((topic for topic in open_ones if topic.state is TopicState.CURRENT), next(iter(open_ones), None))


def advance(topics: Sequence[Topic], event: Event) -> tuple[tuple[Topic, ...], str]:
    """Return where the topics stand after an event, and what the tutor has to do in this turn.

    A topic goes: its first step and nothing else; the same applied to the learner's own mistakes; exercises, until two were right;
    the next topic. A wrong one costs nothing that was reached. The instruction always names goal and step.
    """
    topic = current(topics)
    if topic is None:
        return tuple(topics), _all_done(topics)
    if event is Event.NEXT_WANTED or (event is Event.EXERCISE_RIGHT and _after_right(topic) >= LEARNT):
        return _turn_over(topics, topic, event)
    steps = _steps(topic, event)
    stands = replace(topic, state=TopicState.CURRENT, steps=steps)
    return _with(topics, stands), _directed(stands, _deed(topic, event, steps))


def _after_right(topic: Topic) -> int:
    return max(topic.steps, EXERCISE) + 1


def _steps(topic: Topic, event: Event) -> int:
    if event is Event.OPENED:
        return max(topic.steps, FIRST)
    if event is Event.TALKED:
        return min(topic.steps + 1, EXERCISE) if topic.steps < EXERCISE else topic.steps
    if event is Event.EXERCISE_RIGHT:
        return _after_right(topic)
    return max(topic.steps, EXERCISE)


def _turn_over(topics: Sequence[Topic], topic: Topic, event: Event) -> tuple[tuple[Topic, ...], str]:
    """Close a topic and begin the next one with exactly its first step."""
    left = _with(topics, replace(topic, state=TopicState.DONE))
    following = current(left)
    if following is None:
        return left, _all_done(left)
    begun = replace(following, state=TopicState.CURRENT, steps=max(following.steps, FIRST))
    said = "Say in a few words that the exercise was right. " if event is Event.EXERCISE_RIGHT else ""
    return _with(left, begun), _directed(begun, f"{said}Leave the topic before. {_first(begun)}")


def _with(topics: Sequence[Topic], changed: Topic) -> tuple[Topic, ...]:
    """Put a topic in its place; no other one is current beside it."""
    others = (replace(each, state=TopicState.AHEAD) if each.state is TopicState.CURRENT else each for each in topics)
    return tuple(changed if each.position == changed.position else each for each in others)


def _directed(topic: Topic, deed: str) -> str:
    """Say what is done, under the goal: facts alone do not keep a lesson on its way."""
    return (
        f"Goal direction: ⟨{_name(topic.title)}⟩, because ⟨{_name(topic.reason)}⟩; every example and exercise has the form of the "
        f"first step ⟨{_name(topic.first_step)}⟩. Step now: {deed}"
    )


def _deed(topic: Topic, event: Event, steps: int) -> str:
    if event is Event.EXERCISE_RIGHT:
        return "say what was right about the exercise in one sentence, then give one more of the same kind, a little harder."
    if event is Event.EXERCISE_WRONG:
        return (
            "say which rule the wrong answer broke, in one sentence, with a past mistake and its date where one is alike; "
            "then give one more exercise of the same kind, not harder."
        )
    if steps <= FIRST:
        return _first(topic)
    if steps == APPLIED:
        return (
            "apply what the first step showed to the learner's own past mistakes (with their dates), or to their own "
            "situation where there are none; then have one such sentence put right."
        )
    if event is Event.TALKED and topic.steps >= EXERCISE:
        return (
            "answer what was said in at most three sentences, then come back to the open exercise or give another one."
        )
    return "give one exercise of this topic, to be answered in one message."


def _first(topic: Topic) -> str:
    return f"exactly the first step, and no other: ⟨{_name(topic.first_step)}⟩."


def _all_done(topics: Sequence[Topic]) -> str:
    if not topics:
        return "Goal direction: the subject of the study. Step now: answer what was said and give one exercise on it."
    done = ", ".join(f"⟨{_name(topic.title)}⟩" for topic in topics)
    return (
        f"Goal direction: the subject of the study. Step now: every topic is done ({done}); answer what was said, offer one "
        "exercise that mixes what was learnt, and say that the study can be ended."
    )


def _name(text: str) -> str:
    """Return a text that cannot leave its brackets."""
    return one_line(text.translate({ord("⟨"): None, ord("⟩"): None}), _QUOTED)
