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
