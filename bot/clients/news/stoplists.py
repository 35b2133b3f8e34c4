"""Small words of languages written with spaces, by what stands most often in running text."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

_NAMES: Final = {
    "af": "Afrikaans", "bg": "Bulgarian", "ca": "Catalan", "cs": "Czech", "cy": "Welsh", "da": "Danish",
    "de": "German", "el": "Greek", "en": "English", "eo": "Esperanto", "es": "Spanish", "et": "Estonian",
    "eu": "Basque", "fi": "Finnish", "fr": "French", "ga": "Irish", "gl": "Galician", "hr": "Croatian",
    "hu": "Hungarian", "id": "Indonesian", "is": "Icelandic", "it": "Italian", "lt": "Lithuanian", "lv": "Latvian",
    "nb": "Norwegian_Bokmal", "nl": "Dutch", "nn": "Norwegian_Nynorsk", "no": "Norwegian_Bokmal", "pl": "Polish",
    "pt": "Portuguese", "ro": "Romanian", "ru": "Russian", "sk": "Slovak", "sl": "Slovenian", "sq": "Albanian",
    "sr": "Serbian", "sv": "Swedish", "sw": "Swahili", "tr": "Turkish", "uk": "Ukrainian", "vi": "Vietnamese",
}  # fmt: skip
"""Primary language tags and the names of justext's lists; Korean is not among them, its endings are no words."""

_MOST: Final = 100
_GUESSED: Final = ("de", "en", "es", "fr", "it", "nl", "pl", "pt", "ru", "sv")
_ENOUGH: Final = 8  # words
_FULL: Final = 0.2  # of the words of a text
_AHEAD: Final = 1.3  # times the share of the next language

_CONTENT: Final = {
    "de": "ersten erste zwei drei jahr später heute liegt gibt kam of",
    "en": "first one two other new used known made time years year three later including",
    "es": "años año parte ciudad gran primer primera nombre forma siglo población vez tiene dos tres encuentra san",
    "fr": "deux nom premier première partie ville années commune groupe trois fait",
    "it": "anni parte stato prima primo città nome viene venne due uno san comune fino",
    "nl": "plaats inwoners gemeente eerste deel jaar twee aantal telt naam oppervlakte jaren grote stad ligt staat meer",
    "pl": "roku latach miejscowość lat miejscu powiecie czasie gmina województwie wieś położona miejsce wieku rok gminie "
    "danych wojny września części",
    "pt": "cidade área anos população parte região primeiro primeira grande nome segundo família ano dois maior forma dia "
    "século três município duas banda estado",
    "ru": "года год году время стал города часть лет один части области населения составляет состав района декабря "
    "составе находится",
    "sv": "år andra första född två död in",
}
"""What an encyclopedia says often though it is no small word."""


class JustextStoplists:
    """The lists that justext carries for finding running text, cut down to their most frequent words.

    They are frequency lists of Wikipedia, most frequent first, and hold nouns and months further down. Kept are the
    first 100 words that stand there in lower case (nouns of German and names fall out so), without those of a short
    list of content words for ten languages. For the other languages some content words are left among them, and rare
    small words (English "although") are missing everywhere.
    """

    def function_words(self, language: str) -> frozenset[str]:
        """Return lower-case function words of a language by its primary tag; empty for one that is not known."""
        return _words(language)

    def guess(self, text: str) -> str:
        """Return the language whose function words a text is full of, "" when none stands out.

        One word in four is one of them in running text of the language itself, and far fewer are those of a neighbour.
        """
        words = [word for word in text.lower().split() if word.isalpha()]
        shares = sorted(
            ((sum(word in _words(tag) for word in words) / max(1, len(words)), tag) for tag in _GUESSED), reverse=True
        )
        (best, tag), (second, _) = shares[:2]
        return tag if len(words) >= _ENOUGH and best >= _FULL and best >= _AHEAD * second else ""


@cache
def _words(language: str) -> frozenset[str]:
    name = _NAMES.get(language, "")
    package = find_spec("justext") if name else None
    if package is None or package.origin is None:
        return frozenset()
    listed = (Path(package.origin).parent / "stoplists" / f"{name}.txt").read_text("utf-8").split()
    small = [word for word in listed if word.isalpha() and word.islower()]
    return frozenset(small[:_MOST]) - frozenset(_CONTENT.get(language, "").split())
