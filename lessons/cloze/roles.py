"""What a particle does in its place, in a few words: the roles that others look for, and those of any place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

IN_IDIOM: Final = "part of an idiom"
IN_CLAUSE: Final = "subject in a describing clause"
OBJECT_IN_CLAUSE: Final = "direct object in a describing clause"
IN_CONDITION: Final = "subject of a condition"
BUT: Final = "“but”"
NOUN_OF_A_CLAUSE: Final = "makes a clause a noun"
TOPIC_OF_A_CLEFT: Final = "topic"
NONE_AT_ALL: Final = "none at all"


@dataclass(frozen=True, slots=True)
class Slot:
    """What a particle does in its place. `role` is a hint in a few words, `why` the rule in one sentence."""

    certainty: float
    role: str
    why: str
    also: tuple[str, ...] = ()


PLAIN: Final = {
    "は": ("topic or contrast", "Topic particle は marks what the sentence is about."),
    "が": ("subject, or “but”", "Particle が marks the subject, or joins two clauses as “but”."),
    "を": ("direct object", "Object particle を marks the thing that an action is done to."),
    "に": ("target, time or place", "Particle に marks a target, a point in time or the place where something is."),
    "で": ("place of action, means or cause", "Particle で marks where, by what means or why something happens."),
    "へ": ("direction", "Direction particle へ marks where a movement goes."),
    "と": ("“and”, “with” or a quotation", "Particle と joins nouns, marks a partner, or ends what is said."),
    "も": ("“also” or “even”", "Particle も adds one more item of the same kind, or says “even”."),
    "の": ("links two nouns", "Linking particle の joins a noun to the noun it describes."),
    "や": ("“and” among others", "Particle や lists examples and leaves the list open."),
    "から": ("start or reason", "Particle から marks a start, a source or a reason."),
    "まで": ("end", "Particle まで marks how far or until when something goes."),
    "より": ("comparison", "Particle より marks what something is compared with."),
    "しか": ("“only”, with a negative", "Particle しか with a negative says that there is no more than that."),
    "だけ": ("“only”", "Particle だけ limits to that and no more."),
    "など": ("“and so on”", "Particle など says that there are more of the kind."),
    "か": ("“or”, or a question inside", "Particle か joins alternatives, or makes a question part of a sentence."),
}
"""Role and rule of a particle where nothing more is known."""
