"""From an article to its exercises: sentences, blanks, other fillers a model knows, and nothing kept beyond them."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from lessons import cloze, furigana, judging, links
from lessons.errors import ArticleThere, ModelAway, UnreadableNews
from lessons.model import Accepted, Analysis, Cutting, NewArticle, Payer, Prepared, ReadTrouble, Unit
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
GUESSED: Final = 5_000
"""Characters that a language is guessed from."""
BEGINNING: Final = 12
"""Characters of a text that stand in for its title."""
SOURCE_LIMIT: Final = 60
"""Characters of a source's name that are kept."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where an article comes from: the server it is for, its address ("" when it was pasted), feed, and sender.

    `lasting` are keys it stays known by when it is removed; `source` stands in where the text names none.
    """

    guild: GuildId
    url: str = ""
    source: str = ""
    feed: FeedId | None = None
    by: UserId | None = None
    lasting: tuple[str, ...] = ()


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

        Raises ArticleThere when the server has it already, UnreadableNews when nothing of it can be asked: NO_SENTENCE, or
        NEEDS_JUDGE where there is none.
        """
        text = await asyncio.to_thread(links.text_key, prose.paragraphs)
        keys = (text, *([links.address_key(origin.url)] if origin.url else ()))
        if await self.articles.known(origin.guild, (*keys, *origin.lasting)):
            raise ArticleThere(await self.articles.holding(origin.guild, keys))
        titled = replace(prose, title=prose.title.strip()[:TITLE_LIMIT] or _beginning(prose))
        chosen = await self._worth_asking(titled, language, origin.guild, at)
        article = NewArticle(
            guild_id=origin.guild,
            title=titled.title,
            source=(prose.source or origin.source)[:SOURCE_LIMIT],
            url=origin.url,
            language=language,
            keys=(*keys, *(links.sentence_key(each.sentence.text) for each in chosen)),
            cuttings=tuple(await self._prepared(chosen, language)),
            published=prose.published,
            feed_id=origin.feed,
            added_by=origin.by,
            lasting=origin.lasting,
        )
        stored = await self.articles.save(article, at)
        if stored is None:
            raise ArticleThere(await self.articles.holding(origin.guild, article.keys))
        return stored

    async def _worth_asking(self, prose: Prose, language: str, guild: GuildId, at: datetime) -> list[Blanked]:
        """Return sentences and blanks that can be asked here. Raises UnreadableNews when there is none."""
        chosen = await self._chosen(prose, language, guild)
        if not chosen:
            raise UnreadableNews(ReadTrouble.NO_SENTENCE)
        told = await self._with_alternatives(chosen, guild, at)
        sure = any(blank.closed for each in told for blank in each.blanks)
        if not sure and not self.consulting.is_there:
            raise UnreadableNews(ReadTrouble.NEEDS_JUDGE)
        if not told:
            raise UnreadableNews(ReadTrouble.NO_SENTENCE)
        return told

    def guess(self, prose: Prose) -> str:
        """Return the language of a text in Latin letters by its small words, "" when none is plain."""
        return self.stoplists.guess(" ".join(prose.paragraphs)[:GUESSED])

    async def _chosen(self, prose: Prose, language: str, guild: GuildId) -> list[Blanked]:
        """Return the sentences worth asking about that this server never met, with their blanks."""
        if language == JAPANESE:
            analyses = await self.tokenizer.analyse(prose.paragraphs)
            sentences = await asyncio.to_thread(cloze.split, prose, analyses)
        else:
            sentences = await asyncio.to_thread(cloze.split_spaced, prose)
        once = await asyncio.to_thread(_once, sentences)
        met = await self.articles.known(guild, list(once))
        new = [sentence for key, sentence in once.items() if key not in met]
        return await asyncio.to_thread(self._blanked, new, language, prose.title)

    def _blanked(self, sentences: Sequence[Sentence], language: str, title: str) -> list[Blanked]:
        words = self.stoplists.function_words(language)
        found = []
        for sentence in sentences:
            blanks = cloze.blanks(sentence, self.levels, language=language, function_words=words)
            found.append((sentence, cloze.keep([blank for blank in blanks if not _is_told(blank, sentence, title)])))
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

    async def _prepared(self, chosen: Sequence[Blanked], language: str) -> list[Cutting]:
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


def _once(sentences: Sequence[Sentence]) -> dict[str, Sentence]:
    """Each sentence once, by its key."""
    return {links.sentence_key(sentence.text): sentence for sentence in sentences}


def _beginning(prose: Prose) -> str:
    """Return what stands in for a title: the beginning of the text."""
    text = next((paragraph.strip() for paragraph in prose.paragraphs if paragraph.strip()), "")
    return text if len(text) <= BEGINNING else f"{text[:BEGINNING]}…"


def _is_told(blank: Blank, sentence: Sentence, title: str) -> bool:
    """Tell whether the title, which stands above every question, shows what is asked.

    That is a word or a form that stands in it, and whatever stands in a beginning that the title is.
    """
    shown = title.removesuffix("…")
    within = sentence.text.startswith(shown) and blank.start < len(shown)
    return within or (blank.unit is not Unit.PARTICLE and fold(blank.answer) in fold(title))
