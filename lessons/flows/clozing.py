"""From an article to its exercises: sentences, blanks, other fillers a model knows, and nothing kept beyond them."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from lessons import cloze, furigana, judging, links
from lessons.errors import ArticleThere, ModelAway, UnreadableNews
from lessons.model import Accepted, Analysis, Cutting, NewArticle, Payer, Prepared, ReadTrouble
from lessons.text import fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from lessons.cloze import Levels
    from lessons.flows.consulting import Consulting
    from lessons.model import Article, Blank, FeedId, GuildId, Prose, Row, Sentence, UserId
    from lessons.ports import Articles, Stoplists, Tokenizer

JAPANESE: Final = "ja"
TITLE_LIMIT: Final = 120
"""Characters of an article's title that are kept."""
SOURCE_LIMIT: Final = 60
"""Characters of a source's name that are kept."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where an article comes from: the server it is for, its address ("" when it was pasted), feed, and sender.

    `keys` are further ones it is known by; `source` stands in where the text names none.
    """

    guild: GuildId
    url: str = ""
    source: str = ""
    feed: FeedId | None = None
    by: UserId | None = None
    keys: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Blanked:
    """A sentence and what is asked about it."""

    sentence: Sentence
    blanks: tuple[Blank, ...]


@dataclass(frozen=True, slots=True)
class Clozing:
    """Makes articles drillable. Of a text only the sentences that are asked about are kept, with title and link."""

    articles: Articles
    tokenizer: Tokenizer
    stoplists: Stoplists
    consulting: Consulting
    levels: Levels

    async def keep(self, prose: Prose, language: str, origin: Origin, at: datetime) -> Article:
        """Make exercises of a text and store them.

        Raises ArticleThere when the server has it already, UnreadableNews(NO_SENTENCE) when nothing of it can be asked.
        """
        keys = (
            *origin.keys,
            links.text_key(prose.paragraphs),
            *([links.address_key(origin.url)] if origin.url else ()),
        )
        if await self.articles.known(origin.guild, keys):
            raise ArticleThere(prose.title)
        chosen = await self._chosen(prose, language, origin.guild)
        if not chosen:
            raise UnreadableNews(ReadTrouble.NO_SENTENCE)
        chosen = await self._with_alternatives(chosen, origin.guild, at)
        article = NewArticle(
            guild_id=origin.guild,
            title=_title(prose, chosen)[:TITLE_LIMIT],
            source=(prose.source or origin.source)[:SOURCE_LIMIT],
            url=origin.url,
            language=language,
            keys=(*keys, *(links.sentence_key(each.sentence.text) for each in chosen)),
            cuttings=tuple(await self._prepared(chosen, language, origin)),
            published=prose.published,
            feed_id=origin.feed,
            added_by=origin.by,
        )
        stored = await self.articles.save(article, at)
        if stored is None:
            raise ArticleThere(prose.title)
        return stored

    async def _chosen(self, prose: Prose, language: str, guild: GuildId) -> list[Blanked]:
        """Return the sentences worth asking about that this server never met, with their blanks."""
        if language == JAPANESE:
            analyses = await self.tokenizer.analyse(prose.paragraphs)
            sentences = await asyncio.to_thread(cloze.split, prose, analyses)
        else:
            sentences = await asyncio.to_thread(cloze.split_spaced, prose)
        once = {links.sentence_key(sentence.text): sentence for sentence in sentences}
        met = await self.articles.known(guild, list(once))
        new = [sentence for key, sentence in once.items() if key not in met]
        return await asyncio.to_thread(self._blanked, new, language)

    def _blanked(self, sentences: Sequence[Sentence], language: str) -> list[Blanked]:
        words = self.stoplists.function_words(language)
        found = [
            (sentence, cloze.keep(cloze.blanks(sentence, self.levels, language=language, function_words=words)))
            for sentence in sentences
        ]
        return [Blanked(found[place][0], tuple(found[place][1])) for place in cloze.choose(found)]

    async def _with_alternatives(self, chosen: Sequence[Blanked], guild: GuildId, at: datetime) -> list[Blanked]:
        """Ask a model, if there is one, what else fits: it becomes accepted, and a blank where much fits is dropped."""
        if not self.consulting.is_there:
            return list(chosen)
        gaps = [
            (f"{place}.{number}", _gapped(each.sentence, blank), blank.answer)
            for place, each in enumerate(chosen)
            for number, blank in enumerate(each.blanks)
        ]
        try:
            call = judging.alternatives_call(gaps)
            found = await self.consulting.consult(call, Payer(None, guild), at, judging.parse_alternatives)
        except ModelAway:
            return list(chosen)
        told = [
            replace(
                each, blanks=tuple(_told(each.blanks, [found.get(f"{place}.{n}") for n in range(len(each.blanks))]))
            )
            for place, each in enumerate(chosen)
        ]
        return [each for each in told if each.blanks]

    async def _prepared(self, chosen: Sequence[Blanked], language: str, origin: Origin) -> list[Cutting]:
        """Add what the dictionary knows of the answers, as loading a lesson file does."""
        cut = [(place, each.sentence, blank) for place, each in enumerate(chosen) for blank in each.blanks]
        rows = [
            cloze.row(sentence, blank, f"{place}:{blank.start}:{blank.end}", place) for place, sentence, blank in cut
        ]
        texts = [text for row in rows for text in row.answers]
        if language == JAPANESE:
            analyses = await self.tokenizer.analyse(texts)
            dictionary = self.tokenizer.dictionary
        else:
            analyses, dictionary = [Analysis(text) for text in texts], ""
        return await asyncio.to_thread(_cuttings, cut, rows, analyses, dictionary)


def _cuttings(
    cut: Iterable[tuple[int, Sentence, Blank]], rows: Sequence[Row], analyses: Sequence[Analysis], dictionary: str
) -> list[Cutting]:
    following = iter(analyses)
    made = []
    for (place, sentence, blank), row in zip(cut, rows, strict=True):
        accepted = tuple(_accepted(row, text, next(following)) for text in row.answers)
        ruby = furigana.annotate(sentence.words, (blank.start, blank.end)) if dictionary else ""
        made.append(Cutting(place, blank, Prepared(row, accepted, blank.part_of_speech, ruby, dictionary)))
    return made


def _accepted(row: Row, text: str, analysis: Analysis) -> Accepted:
    readings = (row.reading,) if row.reading and text == row.answers[0] else ()
    return Accepted(text, fold(text), readings, analysis)


def _told(blanks: Sequence[Blank], said: Sequence[tuple[tuple[str, ...], bool] | None]) -> list[Blank]:
    """Add what a model said else fits; a blank it calls open is asked no more."""
    kept = []
    for blank, heard in zip(blanks, said, strict=True):
        if heard is None:
            kept.append(blank)
        elif not heard[1]:
            others = [text for text in heard[0] if fold(text) != fold(blank.answer)]
            kept.append(replace(blank, also=tuple(dict.fromkeys((*blank.also, *others))), closed=True))
    return kept


def _gapped(sentence: Sentence, blank: Blank) -> str:
    cue = f"（{blank.cue}）" if blank.cue else ""
    return f"{sentence.text[: blank.start]}＿＿＿{cue}{sentence.text[blank.end :]}"


def _title(prose: Prose, chosen: Sequence[Blanked]) -> str:
    return prose.title.strip() or chosen[0].sentence.text
