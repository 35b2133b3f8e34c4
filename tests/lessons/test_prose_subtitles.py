"""Subtitles as running text."""

from __future__ import annotations

import pytest

from lessons.errors import TextTooLong
from lessons.prose import LONGEST, LONGEST_FILE, from_srt, from_vtt


def srt(*cues: str) -> str:
    return "\n".join(f"{n}\n00:00:{n:02},000 --> 00:00:{n:02},900\n{cue}\n" for n, cue in enumerate(cues, 1))


def vtt(*cues: str) -> str:
    return "WEBVTT\n\n" + "\n".join(f"00:{n:02}.000 --> 00:{n:02}.900\n{cue}\n" for n, cue in enumerate(cues, 1))


def test_a_sentence_goes_on_across_lines_and_cues() -> None:
    found = from_srt(srt("<i>昨日は</i>\n雨が", "{\\an8}降ったので", "家にいました。", "そうですか。"))
    assert found.paragraphs == ("昨日は雨が降ったので家にいました。", "そうですか。")
    assert (found.title, found.language) == ("", "ja")


def test_in_languages_with_spaces_cues_are_joined_with_one() -> None:
    assert from_srt(srt("I went\nto the", "station.")).paragraphs == ("I went to the station.",)


def test_where_no_cue_ends_in_a_mark_each_stands_for_itself() -> None:
    found = from_srt(srt("昨日は雨だった", "だから→", "家にいた", "そして、", "本を読んだ", "終わりに、"))
    assert found.paragraphs == ("昨日は雨だった", "だから家にいた", "そして、本を読んだ", "終わりに、")


def test_a_sentence_that_is_cut_off_at_the_end_stays() -> None:
    assert from_srt(srt("行きます。", "それから")).paragraphs == ("行きます。", "それから")


def test_songs_sounds_and_dashes_go() -> None:
    cues = (
        "（笑）", "♪歌って\n踊って♪", "♪ ラララ\nはい。", "－ 元気？\n－ （ため息）元気です。", "[音楽]", "（太郎）行こう。",
        "＞＞では、始めます。", "…", "東京（とうきょう）へ行く。",
    )  # fmt: skip
    found = from_srt(srt(*cues))
    assert found.paragraphs == ("はい。", "元気？", "元気です。", "行こう。", "では、始めます。", "東京へ行く。")
    assert found.rubies == (("東京", "とうきょう"),)


def test_windows_line_ends_a_byte_order_mark_and_missing_blank_lines_are_forgiven() -> None:
    text = "\ufeff1\r\n0:00:01.000 --> 0:00:02,000 X1:10 X2:20\r\n雨です。\\N風です。\r\n\r\nまだです。\r\n2\r\n00:00:03,000 --> 00:00:04,000\r\n3\r\n"
    assert from_srt(text).paragraphs == ("雨です。", "風です。", "まだです。", "3")


def test_what_a_live_subtitle_repeats_is_there_once() -> None:
    assert from_vtt(vtt("今日は", "今日は\n雨が", "雨が\n降ります。")).paragraphs == ("今日は雨が降ります。",)


def test_notes_styles_ids_settings_and_tags_of_webvtt_go_and_ruby_is_read() -> None:
    text = (
        "WEBVTT - 題\nKind: captions\n\nSTYLE\n::cue { color: red }\n\nNOTE\n見ないで\n\nREGION\nid:x\n\n"
        "intro\n00:01.000 --> 00:02.000 align:start position:0%\n<v 太郎><ruby>漢字<rt>かんじ</rt></ruby>を</v>\n\n"
        "NOTE ここも\n\n01:00:02.000 --> 01:00:03.000\n<c.yellow>読<00:02.500>みます</c>&lrm;。\n00:04.000 --> 00:05.000\n終わり。"
    )
    found = from_vtt(text)
    assert found.paragraphs == ("漢字を読みます。", "終わり。")
    assert found.rubies == (("漢字", "かんじ"),)


@pytest.mark.parametrize("read", [from_srt, from_vtt])
@pytest.mark.parametrize(
    "text",
    [
        "",
        "\ufeff",
        "雨が降った。",
        "00:00:01,000 --> 00:00:02,000",
        srt("", "", ""),
        vtt("<i></i>"),
        "WEBVTT\n\nNOTE x",
    ],
)
def test_without_anything_said_there_is_nothing(read, text: str) -> None:
    assert (read(text).paragraphs, read(text).language) == ((), "")


def test_too_much_is_refused_as_a_file_and_as_a_text() -> None:
    with pytest.raises(TextTooLong) as refused:
        from_srt(" " * (LONGEST_FILE + 1))
    assert (refused.value.found, refused.value.limit) == (LONGEST_FILE + 1, LONGEST_FILE)
    with pytest.raises(TextTooLong) as refused:
        from_vtt(vtt("あ" * LONGEST, "い"))
    assert (refused.value.found, refused.value.limit) == (LONGEST + 1, LONGEST)
