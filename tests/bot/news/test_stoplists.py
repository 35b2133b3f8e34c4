"""Small words of languages that write spaces."""

import pytest

from bot.clients.news import JustextStoplists
from bot.clients.news.stoplists import _NAMES


@pytest.mark.parametrize(
    ("language", "small", "content"),
    [
        ("de", "der die und mit auf für nicht dass wurde", "jahr zeit stadt deutschland ersten zwei Der Stadt"),
        ("en", "the of and to with from his which", "university world years first known"),
        ("es", "de la que en con por para", "ciudad población años"),
        ("fr", "de la et dans avec pour", "ville commune années"),
        ("it", "di il che per con", "città anni comune"),
        ("nl", "de het een van met", "gemeente inwoners jaar"),
        ("pt", "de que com para", "cidade população anos"),
        ("ru", "в и на не что", "года города населения"),
    ],
)
def test_small_words_are_there_and_content_words_are_not(language, small, content):
    words = JustextStoplists().function_words(language)
    assert set(small.split()) <= words
    assert not set(content.split()) & words
    assert all(word == word.lower() and word.isalpha() for word in words)


@pytest.mark.parametrize("language", sorted(_NAMES))
def test_every_language_that_is_named_has_a_list(language):
    assert 40 < len(JustextStoplists().function_words(language)) <= 100


@pytest.mark.parametrize("language", ["", "ja", "zh", "ko", "xx", "../German", "DE"])
def test_other_languages_have_none(language):
    assert JustextStoplists().function_words(language) == frozenset()


@pytest.mark.parametrize(
    ("tag", "text"),
    [
        (
            "de",
            "Gestern hat die Stadt einen neuen Markt eröffnet. Viele Bauern verkaufen dort ihr Gemüse an die Nachbarn.",
        ),
        (
            "en",
            "The library in the old town has been open at night since last month, and many people use it after work.",
        ),
        ("fr", "La ville a ouvert hier un nouveau marché où les paysans vendent leurs légumes aux voisins."),
        ("es", "El ayuntamiento abrió ayer un mercado en el que los agricultores venden sus verduras a los vecinos."),
        ("nl", "De stad heeft gisteren een nieuwe markt geopend waar de boeren hun groente aan de buren verkopen."),
        ("it", "Ieri la città ha aperto un nuovo mercato dove i contadini vendono le loro verdure ai vicini."),
        ("pt", "A cidade abriu ontem um novo mercado onde os agricultores vendem os seus legumes aos vizinhos."),
        ("", "Tokyo Osaka Kyoto Nagoya Sapporo Fukuoka Kobe Sendai Hiroshima"),
        ("", "the market"),
        ("", "市場が開かれました。"),
        ("", ""),
    ],
)
def test_a_language_is_guessed_by_its_small_words(tag: str, text: str) -> None:
    assert JustextStoplists().guess(text) == tag
