"""How surely a particle is the only one for its place, what else fits for certain, and what it does there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lessons.cloze import verbs
from lessons.cloze.forms import form_at
from lessons.cloze.roles import (
    BUT,
    IN_CLAUSE,
    IN_CONDITION,
    IN_IDIOM,
    NONE_AT_ALL,
    NOUN_OF_A_CLAUSE,
    OBJECT_IN_CLAUSE,
    PLAIN,
    TOPIC_OF_A_CLEFT,
    Slot,
)
from lessons.cloze.spots import NOUNS, Spot, is_amount, is_number, is_phase, is_place, is_time

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lessons.cloze.forms import Form
    from lessons.model import Word

_OPEN: Final = 0.4  # は and が and the like: who knows the article may decide, the sentence does not
_NEAR: Final = 8  # words within which から finds its まで


def slot(words: Sequence[Word], at: int) -> Slot:
    """Judge the particle at this place.

    The rules are those of school grammar, each with the fillers it leaves open; the numbers were set by hand and
    checked on the labelled blanks (`lessons/data/evaluation/blanks.csv`), they are no measured probabilities. The
    learner is told how many kana are asked, so に is never held against には. A contrast with は or an addition with
    も that nothing in the sentence prepares is not counted as a rival: `nuances.near` names it, for a free retry.
    """
    spot = Spot(words, at)
    if idiom := spot.idiom():
        whole, meaning = idiom
        return Slot(0.95, IN_IDIOM, f"Idiom {whole}, “{meaning}”: its particle is {spot.particle}.")
    rule = _RULES.get(spot.particle)
    found = rule(spot) if rule else None
    return found or Slot(
        _OPEN, *PLAIN.get(spot.particle, ("joins two parts", f"Particle {spot.particle} joins the parts."))
    )


def level(particle: str) -> str:
    """Return the JLPT level of a particle."""
    return (
        "N4"
        if particle in {"しか", "ほど", "でも", "のに", "ので", "し", "けれど", "けど", "くらい", "ぐらい"}
        else "N5"
    )


_VOICES: Final = frozenset({"causative", "〜られる"})


def _wo(spot: Spot) -> Slot | None:
    form = spot.verb or spot.far_verb
    if form is None or form.part != "動詞":
        return None
    counted = is_amount(spot.words, spot.at - 1)
    limit = form.lemma in verbs.EXCEEDED or (form.lemma == "越える" and counted)
    if limit:
        why = f"Particle を marks the amount or limit that is passed or missed with {form.lemma}."
        return Slot(0.6 if counted else 0.95, "limit", why)
    if space := _space(spot, form):
        return space
    if verbs.takes_no_object(form.lemma) and not _VOICES.intersection(form.steps):
        form = spot.main_verb if spot.is_relative(form) else None
        if form is None or form.part != "動詞" or verbs.takes_no_object(form.lemma):
            return Slot(0.6, *PLAIN["を"])
    return _object(spot, form)


def _object(spot: Spot, form: Form) -> Slot:
    """Judge を as object: が stands there too with ability and wish, は where an amount is the least there is."""
    role = OBJECT_IN_CLAUSE if spot.is_relative(form) and not spot.is_formal(form) else "direct object"
    loose = {"passive", "〜られる", "causative", "〜たい", "〜てある"}.intersection(form.steps)
    why = f"Object particle を marks the thing that {form.lemma} is done to."
    if loose or form.lemma in verbs.EITHER_WAY or is_amount(spot.words, spot.at - 1):
        return Slot(0.6, role, why)
    also = ("が",) if form.potential else ()
    return Slot(0.95 if spot.verb is form else 0.9, role, why, also)


def _space(spot: Spot, form: Form) -> Slot | None:
    certainty = 0.93 if form.lemma in verbs.ONLY_CROSSED else 0.6
    if form.lemma in verbs.LEFT and not spot.before.surface.endswith(verbs.SLOPES):
        return Slot(certainty, "place that is left", f"Particle を marks the place that is left with {form.lemma}.")
    if verbs.crosses(form.lemma) or form.lemma == "降りる":
        return Slot(
            certainty, "space that is crossed", f"Particle を marks the space that is crossed with {form.lemma}."
        )
    return None


def _ga(spot: Spot) -> Slot | None:
    if "接続助詞" in spot.words[spot.at].pos:
        return Slot(0.6, BUT, "Particle が between clauses says “but”, or only leads over.")
    form = spot.verb
    if form is None:
        return None
    if form.lemma in verbs.FOUND and spot.before.surface in verbs.ABSTRACT:
        also = ("の",) if spot.describes(form) else ()
        role = IN_CLAUSE if spot.is_relative(form) else "what there is"
        certainty = 0.93 if spot.is_relative(form) else 0.7  # おそれはあり says no less
        return Slot(certainty, role, f"Subject particle が marks what there is with {form.lemma}.", also)
    return _subject(spot, form)


def _subject(spot: Spot, form: Form) -> Slot:
    """Judge が as subject: は is ruled out inside a clause and beside a topic, を and と by the verb."""
    why = f"Subject particle が marks what {form.lemma} is said of."
    takes_no_object = verbs.takes_no_object(form.lemma) and not _VOICES.intersection(form.steps)
    if spot.may_belong_further(form):
        return Slot(0.5, *PLAIN["が"])
    if not takes_no_object or is_amount(spot.words, spot.at - 1):
        return Slot(0.5, "subject", why)
    if spot.is_relative(form):
        also = ("の",) if spot.describes(form) else ()
        return Slot(0.93, IN_CLAUSE, f"{why} は cannot stand in a clause that describes a noun.", also)
    after = spot.follows(form)
    condition = form.ending in {"ば-form", "〜たら"} or (
        after is not None and after.surface in {"と", "ほど"} and "格助詞" not in after.pos
    )
    if condition:
        return Slot(0.92, IN_CONDITION, f"{why} Inside a condition は is not used.")
    acts = form.part == "動詞" and form.lemma not in verbs.FOUND  # 背は低い and 授業はある say no less
    if spot.has_topic() and acts:
        return Slot(0.91, "subject beside a topic", f"{why} The topic with は has been named already.")
    return Slot(0.5, "subject", why)


def _wa(spot: Spot) -> Slot | None:
    if "準体助詞" in spot.before.pos and any(word.surface in {"から", "ため", "初めて"} for word in spot.later()):
        return Slot(
            0.93,
            TOPIC_OF_A_CLEFT,
            "Topic particle は follows a clause made a noun with の, and the rest says what it is.",
        )
    return None


def _mo(spot: Spot) -> Slot | None:
    asked = spot.before.surface in {"何", "誰", "だれ", "どこ", "誰に", "少し"}
    form = spot.verb
    if asked and form and any("negative" in step for step in form.steps):
        return Slot(0.93, NONE_AT_ALL, "Particle も after a question word, with a negative, says “none at all”.")
    return None


def _ni(spot: Spot) -> Slot | None:
    form, ended = spot.verb, spot.before.surface == "前" and spot.after.surface == "、"
    enters = form is not None and form.lemma in verbs.ENTERING
    if (form or ended) and not enters and is_time(spot.words, spot.at - 1):
        if form and form.lemma in verbs.CLOSING:
            return Slot(0.7, "point in time", f"Particle に, or で, marks when something ends with {form.lemma}.")
        return Slot(0.92, "point in time", "Particle に marks the point in time at which something happens.")
    return _target(spot, form) if form else None


def _target(spot: Spot, form: Form) -> Slot | None:
    """Judge に as what its verb asks for."""
    lemma = form.lemma
    if spot.before.pos[0] == "動詞" and lemma in {"行く", "来る", "訪れる", "出る", "戻る"}:
        return Slot(0.95, "purpose of going", f"Particle に after the ます stem marks what one goes for, with {lemma}.")
    after = spot.follows(form)
    condition = after is not None and after.surface in {"と", "の"}
    if lemma == "なる" and spot.before.pos[0] in NOUNS:
        return Slot(
            0.93,
            "result of a change",
            "Particle に marks what something becomes with なる.",
            () if condition else ("と",),
        )
    return _goal(spot, form) or _place(spot, form)


def _goal(spot: Spot, form: Form) -> Slot | None:
    """Judge に with a verb of motion: へ stands there too, but not where the motion is only a way of speaking."""
    lemma, passive = form.lemma, {"passive", "causative", "〜られる"}.intersection(form.steps)
    if lemma in verbs.REACHING and is_amount(spot.words, spot.at - 1):
        return Slot(0.94, "amount that is reached", f"Particle に marks the amount that is reached with {lemma}.")
    if lemma in verbs.ENTERING and is_phase(spot.words, spot.at - 1):
        return Slot(0.93, "phase that begins", f"Particle に marks the phase or activity that begins with {lemma}.")
    if lemma in verbs.GOAL:
        return Slot(
            0.6 if passive else 0.93, "goal of a movement", f"Particle に marks where one goes with {lemma}.", ("へ",)
        )
    return None


def _place(spot: Spot, form: Form) -> Slot | None:
    lemma, passive = form.lemma, {"passive", "causative", "〜られる"}.intersection(form.steps)
    if lemma in verbs.TO:
        certain = 0.6 if (passive and lemma not in _PASSIVE_TOO) or lemma in verbs.LOOSE else 0.94
        return Slot(certain, "aim or place", f"Particle に marks the aim or place that {lemma} needs.")
    if lemma in {"ある", "いる", "位置する"} and spot.is_relative(form):
        return Slot(0.91, "place where something is", f"Particle に marks the place where something is with {lemma}.")
    return None


_PASSIVE_TOO: Final = frozenset({"置く", "載せる", "植える", "飾る", "恵まれる", "登録する", "掛ける", "付ける"})


def _he(spot: Spot) -> Slot | None:
    form = spot.verb
    if form is None or form.lemma not in verbs.GOAL:
        return None
    return Slot(0.93, "direction", f"Direction particle へ marks where a movement goes with {form.lemma}.", ("に",))


def _de(spot: Spot) -> Slot | None:
    if spot.after.surface in verbs.SUPERLATIVES and "副詞可能" not in spot.before.pos:
        return Slot(
            0.9, "the range of a comparison", "Particle で marks the range in which something is the most or the first."
        )
    form = spot.verb
    if form is None:
        return None
    if form.lemma in verbs.EVENT and spot.before.surface not in {"自分", "一人", "みんな", "全員", "人"}:
        passive = "passive" in form.steps or form.lemma in {"見つかる", "働く", "発生する", "起きる", "起こる"}
        what = "place" if is_place(spot.before) else "place or means"
        why = f"Particle で marks the {what} of the action {form.lemma}."
        return Slot(0.92 if passive and not is_number(spot.before) else 0.7, f"{what} of action", why)
    return None


def _to(spot: Spot) -> Slot | None:
    if "接続助詞" in spot.words[spot.at].pos:
        return Slot(0.7, "“when” or “if”", "Particle と after a dictionary form says what always follows.")
    form = spot.verb
    speaks = form is not None and form.lemma in verbs.SAYING
    if spot.before.surface in {"」", "』"} and (speaks or spot.after.surface == "、"):
        return Slot(0.97, "end of a quotation", "Quoting particle と closes what is said, thought or named.")
    if (
        spot.before.pos[-1].startswith(("終止形", "意志推量形", "命令形"))
        and form is not None
        and (speaks or form.lemma == "する")
    ):
        return Slot(
            0.96, "end of a quotation", f"Quoting particle と closes what is said or thought, before {form.lemma}."
        )
    if form is not None and form.lemma in {"比べる", "くらべる"}:
        return Slot(
            0.94,
            "what is compared with",
            f"Particle と marks what something is compared with, before {form.lemma}.",
            ("に",),
        )
    if form is not None and form.lemma in {"呼ぶ", "名付ける"} and "passive" in form.steps:
        return Slot(0.85, "a name", f"Particle と marks the name that is given, before {form.lemma}.")
    return None


def _kara(spot: Spot) -> Slot | None:
    later = list(spot.later())[:_NEAR]
    if any(word.surface == "まで" for word in later):
        return Slot(
            0.95,
            "start, with まで",
            "Particle から marks where or when something starts, and まで where it ends.",
            ("より",),
        )
    if spot.before.surface in {"て", "で"} and "接続助詞" in spot.before.pos:
        return Slot(0.94, "“after doing”", "Particle から after the て-form puts one action after another.")
    form = spot.verb
    if form and form.lemma in {"始まる", "始める"} and is_time(spot.words, spot.at - 1):
        return Slot(0.92, "start in time", f"Particle から marks when something starts, with {form.lemma}.", ("より",))
    return None


def _made(spot: Spot) -> Slot | None:
    near = list(spot.earlier())[:_NEAR]
    counted = is_amount(spot.words, spot.at - 1) or spot.after.surface in {"の", "を"}
    if counted and any(word.surface == "から" and "格助詞" in word.pos for word in near):
        return Slot(0.95, "end, with から", "Particle まで marks where or when something ends that started with から.")
    return None


def _yori(spot: Spot) -> Slot | None:
    form = form_at(spot.words, spot.at + 1)
    if form is None or form.part != "形容詞":
        return None
    after = spot.follows(form)
    changes = after is not None and after.normalized == "成る"  # 去年から高くなる is right as well
    return Slot(0.7 if changes else 0.93, *PLAIN["より"])


def _shika(spot: Spot) -> Slot | None:
    form = spot.verb
    negative = form is not None and (form.lemma == "ない" or any("negative" in step for step in form.steps))
    return Slot(0.91, *PLAIN["しか"]) if negative else None


def _ya(spot: Spot) -> Slot | None:
    if any(word.surface == "など" for word in list(spot.later())[:_NEAR]):
        return Slot(0.92, "“and” among others", "Particle や lists examples, and など closes the list.", ("と",))
    return None


def _no(spot: Spot) -> Slot | None:
    word, after = spot.words[spot.at], spot.after
    if "準体助詞" in word.pos:
        certainty = 0.95 if after.surface in {"が", "を", "は", "も"} else 0.6
        role = NOUN_OF_A_CLAUSE if spot.is_said_of_a_deed() else "makes what comes before a noun"
        return Slot(certainty, role, "Particle の turns the clause before it into a noun.")
    form = spot.verb
    if form is not None and after.pos[0] in {"動詞", "形容詞"}:
        return Slot(0.6, IN_CLAUSE, "In a clause that describes a noun, の can stand for が.", ("が",))
    counted = is_amount(spot.words, spot.at - 1) or spot.before.surface in verbs.AMOUNTS
    joint = spot.before.pos[0] == "助詞"
    if after.surface in verbs.RELATIVE_PLACES or (counted and after.pos[0] in NOUNS) or joint:
        return Slot(0.93, "links two nouns", "Linking particle の joins a noun to the noun it describes.")
    return Slot(0.8, "links two nouns", "Linking particle の joins a noun to the noun it describes.")


def _ka(spot: Spot) -> Slot | None:
    asks = any(word.surface in verbs.MARKS_OF_WHETHER for word in spot.earlier())
    if asks and spot.before.pos[0] in {"動詞", "形容詞", "助動詞"}:
        return Slot(
            0.92,
            "a question inside the sentence",
            "Particle か makes a question with a question word part of a sentence.",
        )
    return None


_RULES: Final[dict[str, Callable[[Spot], Slot | None]]] = {
    "を": _wo, "が": _ga, "は": _wa, "も": _mo, "に": _ni, "へ": _he, "で": _de, "と": _to, "から": _kara, "まで": _made,
    "より": _yori, "しか": _shika, "や": _ya, "の": _no, "か": _ka,
}  # fmt: skip
