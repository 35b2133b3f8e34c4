"""Patterns in a learner's recent mistakes: which belong together, which of them stands for the rest, what to call it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import regex

from lessons.model import Chart, ChartKind, ErrorType, Series, Theme
from lessons.text import tidy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from lessons.model import ItemId, Mistake

ENOUGH: Final = 15
"""Mistakes from which likeness is looked at; fewer are told apart by their error type alone."""
NAMED_PAIRS: Final = 3
LONGEST: Final = 12
"""Characters of an answer in a theme's name."""

_KINDS: Final = {
    ErrorType.PARTICLE: "particles",
    ErrorType.CONJUGATION: "conjugation",
    ErrorType.VOCABULARY: "words",
    ErrorType.WORD_ORDER: "word order",
    ErrorType.TENSE: "tense",
    ErrorType.POLITENESS: "politeness",
    ErrorType.KANJI_KANA: "kanji and kana",
    ErrorType.MISSING: "something missing",
    ErrorType.OTHER: "other",
}
_UNSEEN: Final = regex.compile(r"\p{C}")


@dataclass(frozen=True, slots=True)
class Way:
    """How mistakes are put together: the graph each is linked to its nearest in, and what finds communities in it.

    `typed` links only mistakes of one error type; `mutual` links two only when each is among the other's nearest;
    `floor` is the quantile (0 to 1) of all likenesses that a link must reach, `least` the likeness it must have at
    all (as a probability); `spread` uses label propagation in the place of Louvain.
    """

    typed: bool = True
    neighbours: int = 4
    mutual: bool = False
    floor: float = 0.0
    least: float = 0.3
    spread: bool = False


BY_TYPE: Final = Way()
"""The usual way. Four neighbours and the least likeness come from the labelled set (`kizuki evaluate themes`)."""
UNTYPED: Final = Way(typed=False, neighbours=8, mutual=True, floor=0.9, least=0.0)
"""For mistakes whose error types nobody vouches for."""


@dataclass(frozen=True, slots=True)
class Themes:
    """Themes, the largest first, and the mistakes that are like no other, the newest first."""

    themes: tuple[Theme, ...]
    one_offs: tuple[Mistake, ...]


def newest_per_item(mistakes: Iterable[Mistake]) -> list[Mistake]:
    """One mistake an item, the newest: five retries are one mistake. Oldest first; items that are gone stay apart."""
    kept: dict[tuple[bool, ItemId | int], Mistake] = {}
    for mistake in sorted(mistakes, key=_age):
        key = (True, mistake.item_id) if mistake.item_id is not None else (False, mistake.id)
        kept[key] = mistake
    return sorted(kept.values(), key=_age)


def themes(mistakes: Sequence[Mistake], alike: NDArray[np.float32] | None, seed: int, way: Way = BY_TYPE) -> Themes:
    """Find the themes in mistakes of different exercises; the same mistakes, likenesses and seed give the same themes.

    `alike` is symmetric [n, n], row by row as `mistakes`, the larger the more alike; None when nothing is known of
    it. Without it, and below ENOUGH mistakes, a theme is an error type.
    """
    kinds = [mistake.card.error_type for mistake in mistakes]
    if alike is None or len(mistakes) < ENOUGH:
        groups = _by_kind(kinds)
        alike = same_pairs(mistakes)
    else:
        groups = communities(alike, kinds, seed, way)
    found = [_theme(mistakes, group, alike) for group in groups if len(group) > 1]
    return merged([Themes(tuple(found), tuple(mistakes[group[0]] for group in groups if len(group) == 1))])


def merged(several: Iterable[Themes]) -> Themes:
    """Put the themes of several pools in one order; no theme holds mistakes of two pools."""
    pools = list(several)
    found = sorted((theme for pool in pools for theme in pool.themes), key=_rank)
    alone = sorted((each for pool in pools for each in pool.one_offs), key=_age, reverse=True)
    return Themes(tuple(found), tuple(alone))


def communities(
    alike: NDArray[np.float32], kinds: Sequence[ErrorType], seed: int, way: Way = BY_TYPE
) -> list[tuple[int, ...]]:
    """Cut n mistakes into communities, each a rising tuple of row numbers; those of one are like no other.

    `alike` is symmetric [n, n]. A graph is built (`Way`), weighted with likeness, and cut by networkx's Louvain
    method (Blondel et al. 2008) or by its asynchronous label propagation (Raghavan et al. 2007). Every error type is
    cut by itself where types count: modularity sees no small communities in a large graph (Fortunato 2007).
    """
    pools = _by_kind(kinds) if way.typed else [tuple(range(len(kinds)))] if len(kinds) else []
    found = []
    for pool in pools:
        rows = np.array(pool)
        found += [
            tuple(int(row) for row in rows[sorted(community)])
            for community in _cut(alike[np.ix_(rows, rows)], seed, way)
        ]
    return sorted(found)


def same_pairs(mistakes: Sequence[Mistake]) -> NDArray[np.float32]:
    """Likeness where nothing better is known, float32 [n, n]: 1 for the same confusion, else 0."""
    known: dict[tuple[str, str], int] = {}
    codes = np.array([known.setdefault(_pair(mistake), len(known)) for mistake in mistakes], dtype=np.int64)
    return np.equal.outer(codes, codes).astype(np.float32)


def kind_name(kind: ErrorType) -> str:
    """Name the mistakes of a kind: "particles"."""
    return _KINDS[kind]


def theme_kind(theme: Theme) -> str:
    """Name the kind of a theme alone, which tells no answer: "particles"."""
    return _KINDS[theme.error_type]


def theme_name(theme: Theme) -> str:
    """Name a theme after its kind and its most frequent confusions: "particles: も written as は, が as に".

    It quotes what learners typed, so it is foreign text.
    """
    shown = [(_short(reference), _short(typed)) for reference, typed, _ in theme.pairs[:NAMED_PAIRS]]
    told = [
        f"{reference} {'as' if number else 'written as'} {typed}" for number, (reference, typed) in enumerate(shown)
    ]
    more = " …" if len(theme.pairs) > NAMED_PAIRS else ""
    return f"{_KINDS[theme.error_type]}: {', '.join(told)}{more}"


def theme_chart(found: Sequence[Theme], days: int) -> Chart:
    """Draw themes as rows of their counts, numbered as they are listed; labels such as "1  は→が"."""
    labels = tuple(f"{number}  {_label(theme)}" for number, theme in enumerate(found, 1))
    counts = tuple(float(len(theme.members)) for theme in found)
    return Chart(
        ChartKind.ROWS,
        f"What you mixed up in the last {'day' if days == 1 else f'{days} days'} (right answer → what you wrote)",
        "exercises",
        "",
        (Series("", labels, counts),),
        whole=True,
    )


def _cut(alike: NDArray[np.float32], seed: int, way: Way) -> Iterable[set[int]]:
    import networkx  # noqa: PLC0415 - 0.15 s that a start need not pay

    graph = networkx.Graph()
    graph.add_nodes_from(range(len(alike)))
    graph.add_weighted_edges_from(_links(alike, way))
    cut: Callable[..., Iterable[set[int]]]
    cut = networkx.community.asyn_lpa_communities if way.spread else networkx.community.louvain_communities
    return cut(graph, weight="weight", seed=seed)


def _links(alike: NDArray[np.float32], way: Way) -> list[tuple[int, int, float]]:
    """Link each row to its nearest ones, in rising order; likenesses of 0 and less link nothing."""
    closeness = np.array(alike, dtype=np.float64)
    count = len(closeness)
    np.fill_diagonal(closeness, -np.inf)
    pairs = np.triu_indices(count, 1)
    floor = float(np.quantile(closeness[pairs], way.floor)) if way.floor and count > 1 else 0.0
    floor = max(floor, way.least)
    nearest = np.argsort(-closeness, axis=1, kind="stable")[:, : way.neighbours]
    near = np.zeros((count, count), dtype=bool)
    np.put_along_axis(near, nearest, values=True, axis=1)
    linked = (near & near.T if way.mutual else near | near.T) & (closeness > 0) & (closeness >= floor)
    return [(int(one), int(other), float(closeness[one, other])) for one, other in np.argwhere(np.triu(linked, 1))]


def _by_kind(kinds: Sequence[ErrorType]) -> list[tuple[int, ...]]:
    return [group for kind in ErrorType if (group := tuple(n for n, found in enumerate(kinds) if found is kind))]


def _theme(mistakes: Sequence[Mistake], group: tuple[int, ...], alike: NDArray[np.float32]) -> Theme:
    """Make a theme of some rows, the most central first (the sum of its likeness to the others), then the newest."""
    rows = list(group)
    central = alike[np.ix_(rows, rows)].astype(np.float64).sum(axis=1).round(6)
    order = sorted(range(len(rows)), key=lambda n: (-central[n], -_age(mistakes[rows[n]])[0], -mistakes[rows[n]].id))
    members = tuple(mistakes[rows[n]] for n in order)
    kinds = Counter(member.card.error_type for member in members)
    pairs = Counter(map(_pair, members)).most_common()
    return Theme(
        error_type=kinds.most_common(1)[0][0],
        pairs=tuple((reference, typed, times) for (reference, typed), times in pairs),
        characteristic=members[0],
        members=members,
    )


def _pair(mistake: Mistake) -> tuple[str, str]:
    return tidy(mistake.card.reference), tidy(mistake.card.typed)


def _age(mistake: Mistake) -> tuple[float, int]:
    return mistake.at.timestamp(), mistake.id


def _rank(theme: Theme) -> tuple[int, float, int]:
    """The larger first, then the more recent."""
    newest, mistake = max(map(_age, theme.members))
    return -len(theme.members), -newest, -mistake


def _label(theme: Theme) -> str:
    """The one or two most frequent confusions, as short as a chart's label needs."""
    first, *others = theme.pairs
    shown = [first, *(pair for pair in others[:1] if len("".join(pair[:2])) + len("".join(first[:2])) <= LONGEST)]
    return ", ".join(f"{_short(reference)}→{_short(typed)}" for reference, typed, _ in shown)


def _short(text: str) -> str:
    """A text that fits a line: nothing unseen in it, at most LONGEST characters."""
    seen = _UNSEEN.sub("", text)
    return seen if len(seen) <= LONGEST else f"{seen[: LONGEST - 1]}…"
