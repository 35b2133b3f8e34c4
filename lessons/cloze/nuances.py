"""What else could stand in a gap with another nuance: not what the article has, and no mistake of grammar either."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lessons.cloze import roles
from lessons.cloze.rows import ARROW
from lessons.model import Unit

if TYPE_CHECKING:
    from lessons.model import Item

_ANYWHERE: Final = {"が": ("は", "も"), "を": ("は", "も"), "は": ("が", "も"), "も": ("は", "が", "を"), "や": ("と",)}
_IN_A_ROLE: Final = {
    roles.BUT: ("けど", "けれど", "けれども"),
    roles.IN_CLAUSE: ("も",),
    roles.OBJECT_IN_CLAUSE: ("も",),
    roles.IN_CONDITION: ("も",),
    roles.IN_IDIOM: ("も",),
    roles.TOPIC_OF_A_CLEFT: ("も",),
    roles.NONE_AT_ALL: (),
    roles.NOUN_OF_A_CLAUSE: ("こと",),
}
"""Where the place of the particle rules more out, or lets more in: は never stands in a clause that describes a noun."""


def near(item: Item) -> tuple[str, ...]:
    """Return the fillers of a generated particle gap that are possible with another nuance; () where there are none.

    は for が sets a contrast, も adds, こと for の is more formal: the sentence alone does not forbid them, only the
    article has another one. What the item accepts is left out.
    """
    clipping = item.clipping
    if clipping is None or clipping.unit is not Unit.PARTICLE or clipping.language != "ja":
        return ()
    role = item.row.hint.partition(ARROW)[2]
    found = _IN_A_ROLE.get(role, _ANYWHERE.get(item.answer, ()))
    if item.answer == "に" and role == roles.IN_IDIOM:
        return ()
    return tuple(one for one in found if one not in item.row.answers)
