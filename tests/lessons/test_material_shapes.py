"""Records to rows: every shape a file can have, every problem a row can have, and the keys of rows."""

from pathlib import Path

import pytest

from lessons.material import Limits, blank_of, read
from lessons.model import BLANK, ErrorType, ItemKind, Problem, ProblemKind, Row, Sheet, Source
from lessons.wording import cue_and_hint

FILES = Path(__file__).parent / "files"
DEFAULT = Limits()


def sheet_of(text: str, limits: Limits = DEFAULT) -> Sheet:
    return read(text.encode(), "lessons.csv", limits)


def only(text: str) -> Row:
    (row,) = sheet_of(text).rows
    return row


def problem_of(text: str, limits: Limits = DEFAULT) -> Problem:
    (problem,) = sheet_of(text, limits).problems
    return problem


def by_answer(sheet: Sheet) -> dict[str, Row]:
    return {row.answers[0]: row for row in sheet.rows}


# Native


def test_a_native_row_has_everything() -> None:
    sheet = sheet_of(
        "lesson,type,prompt,answer,also_ok,reading,meaning,hint,explanation,skill,tags\n"
        '3,cloze,私（＿＿）学生です,は,が|も,は,I am a student,topic,"は marks\nthe topic",particle,"n5, wa  n5"\n'
    )
    assert sheet.source is Source.NATIVE
    assert not sheet.guessed
    assert not sheet.problems
    assert sheet.rows == (
        Row(
            key=f"row:私{BLANK}学生です\x1fは",
            line=2,
            lesson="3",
            kind=ItemKind.CLOZE,
            prompt=f"私{BLANK}学生です",
            answers=("は", "が", "も"),
            reading="は",
            meaning="I am a student",
            hint="topic",
            explanation="は marks\nthe topic",
            skill=ErrorType.PARTICLE,
            tags=("n5", "wa"),
        ),
    )
    assert blank_of(sheet.rows[0]) == ("私", "学生です")


@pytest.mark.parametrize(
    ("cells", "kind", "prompt"),
    [
        (",私___学生,は", ItemKind.CLOZE, f"私{BLANK}学生"),
        (",to eat,は", ItemKind.VOCAB, "to eat"),
        ("Cloze,これは本です,本", ItemKind.CLOZE, f"これは{BLANK}です"),
        ("穴埋め,Is this Thistle?,is", ItemKind.CLOZE, None),
        ("cloze,This is it.,is", ItemKind.CLOZE, f"This {BLANK} it."),
        ("vocab,___ means what?,は", ItemKind.VOCAB, f"{BLANK} means what?"),
    ],
)
def test_the_type_of_a_row(cells: str, kind: ItemKind, prompt: str | None) -> None:
    sheet = sheet_of(f"type,prompt,answer\n{cells}\n")
    if prompt is None:
        assert [problem.kind for problem in sheet.problems] == [ProblemKind.ANSWER_NOT_IN_SENTENCE]
    else:
        assert [(row.kind, row.prompt) for row in sheet.rows] == [(kind, prompt)]


@pytest.mark.parametrize(
    ("cell", "answers", "reading", "hint"),
    [
        ("は|が", ("は", "が"), "", ""),
        (r"a\|b", ("a|b",), "", ""),
        (r"a\\|b", ("a\\", "b"), "", ""),
        (r"C:\n", ("C:\\n",), "", ""),
        ("は::topic", ("は",), "", "topic"),
        ("は::topic|が::subject", ("は", "が"), "", "topic"),
        ("食[た]べる", ("食べる",), "たべる", ""),
        ("<ruby>食<rt>た</rt></ruby>べる", ("食べる",), "たべる", ""),
        ('"は\nが"', ("は", "が"), "", ""),
        ("は|は| ", ("は",), "", ""),
        ("は|…", ("は",), "", ""),
        ("'=1+1", ("=1+1",), "", ""),
        ("'tis", ("'tis",), "", ""),
    ],
)
def test_an_answer_cell(cell: str, answers: tuple[str, ...], reading: str, hint: str) -> None:
    row = only(f"prompt,answer\nquestion,{cell}\n")
    assert (row.answers, row.reading, row.hint) == (answers, reading, hint)


def test_a_cloze_mark_in_a_native_prompt_brings_answer_and_hint() -> None:
    row = only("prompt,answer,also_ok,hint\n私{{c1::は::topic}}学生,,が,\n")
    assert (row.prompt, row.answers, row.hint) == (f"私{BLANK}学生", ("は", "が"), "topic")


def test_escaped_marks_are_no_blank() -> None:
    row = only("prompt,answer\n\\_\\_init\\_\\_,x\n")
    assert (row.kind, row.prompt) == (ItemKind.VOCAB, "__init__")


@pytest.mark.parametrize(
    ("cell", "skill"),
    [("particle", "particle"), ("Kanji / kana", "kanji_kana"), ("grammar", None), ("助詞", "particle")],
)
def test_the_skill_of_a_row(cell: str, skill: str | None) -> None:
    sheet = sheet_of(f"prompt,answer,skill\na,b,{cell}\n")
    assert sheet.rows[0].skill == skill
    warned = [(problem.kind, problem.found, problem.fatal) for problem in sheet.problems]
    assert warned == ([] if skill else [(ProblemKind.UNKNOWN_SKILL, cell, False)])


# Kotoba


def test_kotoba_decks() -> None:
    sheet = read((FILES / "kotoba.bom.csv").read_bytes(), "deck.csv")
    rows = by_answer(sheet)
    assert (sheet.source, sheet.encoding) == (Source.KOTOBA, "UTF-8 with BOM")
    assert rows["えき"].prompt == "駅"
    assert rows["えき"].meaning == "station"
    assert cue_and_hint(rows["えき"].hint) == ("Type the reading!", "")
    assert rows["あと"].answers == ("あと", "ご", "のち")
    assert rows["駄目"].reading == "だめ"
    assert rows["駄目"].prompt.startswith("名詞\n① 終局時に、")
    assert [(problem.kind, problem.found) for problem in sheet.problems] == [(ProblemKind.PROMPT_SHOWS_ANSWER, "仰ぐ")]


@pytest.mark.parametrize("told", ["", " ", "long " * 13, "駅 → えき"])
def test_an_instruction_that_is_no_short_sentence_is_left_out(told: str) -> None:
    assert not only(f"Question,Answers,Comment,Instructions\n駅,えき,station,{told}\n").hint


def test_a_hint_goes_before_an_instruction() -> None:
    assert only("Question,Answers,Comment,Instructions,Hint\n駅,えき,station,Type it!,trains\n").hint == "trains"


def test_a_long_comment_is_an_explanation() -> None:
    header = "Question,Answers,Comment\n"
    assert only(f"{header}駅,えき,{'long ' * 100}\n").explanation
    assert only(f"{header}station,駅,a remark\n").explanation == "a remark"
    assert only(f"{header}駅,えき、いえき,\n").answers == ("えき", "いえき")


# JLPT and other lists of words


def test_jlpt_decks() -> None:
    sheet = read((FILES / "jlpt.csv").read_bytes(), "n4.csv")
    rows = by_answer(sheet)
    assert sheet.source is Source.JLPT
    assert not sheet.problems
    assert rows["～区"].prompt == "~ district, ~ ward, ~ borough"
    assert (rows["～区"].answers, rows["～区"].reading) == (("～区", "区"), "く")
    assert rows["～区"].key == "id:jyNlO!<_rh"
    assert rows["運動"].key == "id:=pK+M[-/J"
    assert rows["規則"].key == "id:fX,<9qoCbI"
    assert rows["やはり"].answers == ("やはり", "やっぱり")
    assert (rows["いただく"].answers, rows["いただく"].reading) == (("いただく", "頂く"), "いただく")
    assert (rows["回る"].answers, rows["回る"].reading) == (("回る", "回す"), "まわる|まわす")
    assert rows["ごらんになる"].reading == ""
    assert (rows["生産"].answers, rows["生産"].reading) == (("生産", "生産する"), "せいさん|せいさんする")
    assert rows["～てしまう"].answers == ("～てしまう", "～しまう", "てしまう", "しまう")
    assert rows["パートタイム"].answers == ("パートタイム", "パート")
    assert (rows["堅"].answers, rows["堅"].reading) == (("堅", "硬", "固い"), "かたい")
    assert rows["いくら～ても"].answers == ("いくら～ても", "いくらても")
    assert rows["建て"].reading == "だて"
    assert (rows["勉強"].answers, rows["勉強"].reading) == (("勉強", "勉強する"), "べんきょう|べんきょうする")
    assert rows["十"].reading == "とお"
    assert rows["行く"].reading == "いく|ゆく"


@pytest.mark.parametrize(
    ("tags", "lesson"),
    [
        ("Genki Genki_Ln.14 Genki_Ln.3 Intermediate_Japanese_Ln.2 JLPT JLPT_N5", "Genki 3"),
        ("Intermediate_Japanese Intermediate_Japanese_Ln.11 JLPT_N5", "Intermediate Japanese 11"),
        ("JLPT JLPT_5 JLPT_N5", "N5"),
        ("n4", "N4"),
        ("verbs", ""),
    ],
)
def test_tags_name_a_lesson(tags: str, lesson: str) -> None:
    assert only(f"expression,reading,meaning,tags\n駅,えき,station,{tags}\n").lesson == lesson


@pytest.mark.parametrize(
    ("cells", "prompt", "answers", "reading"),
    [
        ("友達（ともだち）,,friend", "friend", ("友達",), "ともだち"),
        ("〜時 (じ),,o'clock", "o'clock", ("〜時", "時"), "じ"),
        ("(お)金,かね,money", "money", ("お金", "金"), "かね"),
        ("静か (な),しずか,quiet", "quiet", ("静かな", "静か"), "しずか"),
        ("行く (to go),いく,go", "go", ("行く",), "いく"),
        ("食[た]べる,,eat", "eat", ("食べる",), "たべる"),
        ("駅,えき,", "駅", ("えき",), ""),
        ("する,する,to do", "to do", ("する",), "する"),
        ("(あ)(い)(う)(え),,x", "x", ("(あ)(い)(う)(え)",), ""),
        ("~て (も/は),,even if", "even if", ("~ても/は", "~て", "ても/は", "て"), ""),
    ],
)
def test_an_entry_of_a_list(cells: str, prompt: str, answers: tuple[str, ...], reading: str) -> None:
    row = only(f"Word,Kana,English\n{cells}\n")
    assert (row.prompt, row.answers, row.reading) == (prompt, answers, reading)


def test_bunpro_lists() -> None:
    sheet = sheet_of("word,reading,description,progress\n食べる,たべる,to eat,3\n～てもいい,,may,1\n")
    assert sheet.source is Source.WORD_LIST
    assert [(row.prompt, row.answers) for row in sheet.rows] == [
        ("to eat", ("食べる",)), ("may", ("～てもいい", "てもいい")),
    ]  # fmt: skip


def test_an_example_sentence_explains_a_word_that_has_a_meaning() -> None:
    row = only("単語,読み,意味,例文\n食べる,たべる,to eat,りんごを食べる。\n")
    assert (row.prompt, row.answers, row.explanation) == ("to eat", ("食べる",), "りんごを食べる。")


def test_a_word_without_a_meaning_is_blanked_out_of_its_sentence() -> None:
    row = only("例文,単語\nりんごを食べる。,食べる\n")
    assert (row.prompt, row.answers) == (f"りんごを{BLANK}。", ("食べる",))


def test_headers_with_remarks_and_columns_without_a_name() -> None:
    sheet = sheet_of("Word (kanji);Meaning [English];;\n駅;station;;\n水;water;;stray\n")
    assert sheet.columns == ("Word (kanji)", "Meaning [English]")
    assert [row.answers for row in sheet.rows] == [("駅",)]
    assert [(problem.kind, problem.found) for problem in sheet.problems] == [(ProblemKind.EXTRA_CELLS, "stray")]


def test_columns_that_hold_the_same_are_joined() -> None:
    assert only("front,back,notes,comment\na,b,c,d\n").explanation == "c\nd"


# Sentences


def test_clozemaster_with_a_header() -> None:
    sheet = sheet_of("Sentence,Translation,Cloze\n駅で待ちます。,I wait.,待ちます\n")
    assert sheet.source is Source.SENTENCES
    assert (sheet.rows[0].prompt, sheet.rows[0].meaning) == (f"駅で{BLANK}。", "I wait.")


def test_one_column_named_cloze() -> None:
    assert only("cloze,translation\n私{{c1::は}}学生,I am\n").answers == ("は",)


def test_headerless_clozemaster_never_drops_row_one() -> None:
    sheet = sheet_of("私は学生です。\tI am.\t学生\n駅で待ちます。\tI wait.\t待ちます\nこれは本です。\tThis is.\t本\n")
    assert (sheet.source, sheet.guessed) == (Source.SENTENCES, True)
    assert [row.line for row in sheet.rows] == [1, 2, 3]
    assert sheet.columns == ("prompt", "meaning", "answer")


def test_headerless_sentences_with_blanks() -> None:
    sheet = sheet_of("1\t私＿＿学生です。\tは\tI am a student.\n2\t駅＿＿行く。\tに\tI go.\n")
    assert sheet.columns == ("1", "prompt", "answer", "meaning")
    assert [(row.prompt, row.answers) for row in sheet.rows] == [
        (f"私{BLANK}学生です。", ("は",)), (f"駅{BLANK}行く。", ("に",)),
    ]  # fmt: skip


def test_a_column_of_cloze_sentences() -> None:
    sheet = sheet_of("私は{{c1::学生}}です。\n彼は{{c1::先生}}です。\n")
    assert [row.answers for row in sheet.rows] == [("学生",), ("先生",)]


# Pairs


@pytest.mark.parametrize(
    ("text", "source", "columns", "asked"),
    [
        ("食べる\tto eat, to have\n飲む\tto drink\n", Source.PAIRS, ("word", "meaning"), ("to eat, to have", "食べる")),
        ("to eat\t食べる\nto drink\t飲む\n", Source.PAIRS, ("meaning", "word"), ("to eat", "食べる")),
        ("食べる\tたべる\n飲む\tのむ\n", Source.PAIRS, ("prompt", "answer"), ("食べる", "たべる")),
        ("Hund,dog\nKatze,cat\n", Source.PAIRS, ("prompt", "answer"), ("Hund", "dog")),
        ("question\t問題\nanswer\t答え\n", Source.PAIRS, ("meaning", "word"), ("question", "問題")),
        ("Hund;犬\nKatze;猫\n", Source.PAIRS, ("meaning", "word"), ("Hund", "犬")),
        (
            "たべる,食べる,to eat,verb\nのむ,飲む,to drink,verb\n",
            Source.GUESSED, ("reading", "word", "meaning", "explanation"), ("to eat", "食べる"),
        ),
    ],
)  # fmt: skip
def test_headerless_lists(text: str, source: Source, columns: tuple[str, ...], asked: tuple[str, str]) -> None:
    sheet = sheet_of(text)
    assert (sheet.source, sheet.guessed, sheet.columns) == (source, True, columns)
    assert len(sheet.rows) == 2
    assert (sheet.rows[0].prompt, sheet.rows[0].answers[0]) == asked


# Anki

ANKI = "#separator:tab\n#html:true\n#guid column:1\n#notetype column:2\n#deck column:3\n#tags column:6\n"


def test_anki_notes() -> None:
    sheet = sheet_of(
        ANKI
        + "k|7>>b\tCloze\tJ::Lesson 3\t私{{c1::は::particle / topic}}<b>学生</b>{{c2::です}}。&nbsp;[sound:a.mp3]\tI am\tx\n"
        + "abc\tBasic\tJ::Lesson 3\t<ruby>食<rt>た</rt></ruby>べる\tto eat\t\n"
        + "def\tBasic\tJ::Lesson 3\tto drink\t飲む\t\n"
        + "ghi\tCloze\tJ::Lesson 3\t{{c1::食[た]べ}}ます\tI eat\tGenki_Ln.4\n"
    )
    assert sheet.source is Source.ANKI
    assert [(row.key, row.line, row.prompt, row.answers[0], row.hint) for row in sheet.rows] == [
        ("id:k|7>>b", 7, f"私{BLANK}学生です。", "は", "particle / topic"),
        ("id:k|7>>b#c2", 7, f"私は学生{BLANK}。", "です", ""),
        ("id:abc", 8, "to eat", "食べる", ""),
        ("id:def", 9, "to drink", "飲む", ""),
        ("id:ghi", 10, f"{BLANK}ます", "食べ", ""),
    ]
    assert [row.lesson for row in sheet.rows] == ["Lesson 3"] * 4 + ["Genki 4"]
    assert sheet.rows[2].reading == "たべる"
    assert sheet.rows[4].reading == "たべ"


def test_a_basic_note_without_a_translation_is_asked_by_its_other_side() -> None:
    sheet = sheet_of("#separator:tab\n{{c1::は}}\tか\n{{c1::を}}\tき\nHund\t犬\n")
    assert [(row.prompt, row.answers) for row in sheet.rows[-1:]] == [("Hund", ("犬",))]


def test_anki_names_its_fields() -> None:
    sheet = sheet_of("#separator:comma\n#columns:Front,Back,Tags\nfront,back<br>other,t\n")
    assert not sheet.guessed
    assert (sheet.rows[0].line, sheet.rows[0].prompt, sheet.rows[0].answers) == (3, "front", ("back", "other"))


def test_directives_that_name_no_column_are_passed_over() -> None:
    sheet = sheet_of("#separator:tab\n#guid column:9\n#tags column:x\n食べる\tto eat\n飲む\tto drink\n")
    assert len(sheet.rows) == 2


# Problems

TYPED = "type,prompt,answer\n"


@pytest.mark.parametrize(
    ("text", "line", "column", "kind", "found", "limit"),
    [
        (TYPED + ",,x\n", 2, "prompt", ProblemKind.NO_PROMPT, "", 0),
        (TYPED + ",___,x\n", 2, "prompt", ProblemKind.NO_PROMPT, "", 0),
        (TYPED + ",a,\n", 2, "answer", ProblemKind.NO_ANSWER, "a", 0),
        (TYPED + ",a,…\n", 2, "answer", ProblemKind.NO_ANSWER, "a", 0),
        (TYPED + "cloze,これはこれ,これ\n", 2, "prompt", ProblemKind.NO_BLANK, "これ", 2),
        (TYPED + "cloze,私は,を\n", 2, "prompt", ProblemKind.ANSWER_NOT_IN_SENTENCE, "を", 0),
        (TYPED + ",私___学生___,は\n", 2, "prompt", ProblemKind.SEVERAL_BLANKS, "2", 1),
        (TYPED + ",{{c1::a}} and {{c1::b}},\n", 2, "prompt", ProblemKind.SEVERAL_BLANKS, "2", 1),
        (TYPED + ",{{c1::a,\n", 2, "prompt", ProblemKind.NO_BLANK, "{{c1::a", 0),
        (TYPED + "cloze,a,\n", 2, "answer", ProblemKind.NO_ANSWER, "a", 0),
        (TYPED + "quiz,a,b\n", 2, "type", ProblemKind.UNKNOWN_TYPE, "quiz", 0),
        (TYPED + "," + "a" * 401 + ",b\n", 2, "prompt", ProblemKind.PROMPT_TOO_LONG, "401", 400),
        (TYPED + ",a," + "b" * 201 + "\n", 2, "answer", ProblemKind.CELL_TOO_LONG, "201", 200),
        (TYPED + ",a," + "b" * 10_001 + "\n", 2, "answer", ProblemKind.CELL_TOO_LONG, "10001", 10_000),
        (TYPED + ",a," + "|".join(map(str, range(51))) + "\n", 2, "answer", ProblemKind.TOO_MANY_ANSWERS, "51", 50),
        (TYPED + ",a,b\x07\n", 2, "answer", ProblemKind.CONTROL_CHARACTER, "U+0007", 0),
        (TYPED + ",a,b\u202ec\n", 2, "answer", ProblemKind.CONTROL_CHARACTER, "b\u202ec", 0),
        (TYPED + ",a,b,c\n", 2, "4", ProblemKind.EXTRA_CELLS, "c", 3),
        ("prompt,answer\n\n" + "a,b\na,b\n", 4, "prompt", ProblemKind.DUPLICATE, "a → b", 3),
        ("id,prompt,answer\n1,a,b\n1,c,d\n", 3, "id", ProblemKind.DUPLICATE, "1", 2),
        ("word,meaning\n,to eat\n", 2, "word", ProblemKind.NO_ANSWER, "to eat", 0),
        ("word,meaning\nx,y\nx,y\n", 3, "meaning", ProblemKind.DUPLICATE, "y → x", 2),
        ("lesson,prompt,answer\n" + "x" * 201 + ",a,b\n", 2, "lesson", ProblemKind.CELL_TOO_LONG, "201", 200),
        ("sentence,cloze\n私は,を\n", 2, "sentence", ProblemKind.ANSWER_NOT_IN_SENTENCE, "を", 0),
    ],
)
def test_a_problem_names_line_column_and_facts(
    text: str, line: int, column: str, kind: ProblemKind, found: str, limit: int
) -> None:
    assert problem_of(text) == Problem(line, column, kind, found, limit)


@pytest.mark.parametrize(
    ("text", "kind", "found"),
    [
        ("prompt,answer\nwhat does 駅 mean,駅\n", ProblemKind.PROMPT_SHOWS_ANSWER, "駅"),
        ("word,kana,meaning\n半,はん,half (にじはん)\n", ProblemKind.PROMPT_SHOWS_ANSWER, "はん"),
        ("prompt,answer\n犬がいる,が\n", ProblemKind.PROMPT_SHOWS_ANSWER, "が"),
        ("prompt,answer,also_ok\n犬がいる,は,が\n", ProblemKind.PROMPT_SHOWS_ANSWER, "が"),
        ("prompt,answer\nI am a student.,a\n", ProblemKind.PROMPT_SHOWS_ANSWER, "a"),
        ("prompt,answer\n食べた？___よ。うん、食べたよ,食べた\n", ProblemKind.PROMPT_SHOWS_ANSWER, "食べた"),
        ("prompt,answer,meaning\na,b," + "m" * 1_001 + "\n", ProblemKind.CELL_TOO_LONG, "1001"),
    ],
)
def test_a_warning_leaves_its_row(text: str, kind: ProblemKind, found: str) -> None:
    sheet = sheet_of(text)
    assert [(problem.kind, problem.found, problem.fatal) for problem in sheet.problems] == [(kind, found, False)]
    assert len(sheet.rows) == 1


@pytest.mark.parametrize("text", ["私は___。___は私です,は", "category,cat", "これは＿＿です。これも,これ"])
def test_what_gives_nothing_away(text: str) -> None:
    sheet = sheet_of(f"prompt,answer\n{text}\n")
    assert not [problem for problem in sheet.problems if problem.kind is ProblemKind.PROMPT_SHOWS_ANSWER]


def test_a_short_answer_may_stand_in_a_question_whose_type_is_named() -> None:
    assert not sheet_of("type,prompt,answer\nvocab,Which particle marks が in 犬がいる?,が\n").problems


def test_unused_columns_may_hold_anything() -> None:
    assert not sheet_of("prompt,answer,progress\na,b,\x07" + "x" * 20_000 + "\n").problems


def test_problems_come_by_line() -> None:
    sheet = sheet_of("prompt,answer\na,b\na,b\n,c\n")
    assert [problem.line for problem in sheet.problems] == [3, 4]


# Keys


def test_homographs_are_different_rows_in_any_order() -> None:
    rows = ["I,私,わたし", "I,私,わたくし", "I,私,"]
    keys = [
        {row.reading: row.key for row in sheet_of("\n".join(["prompt,answer,reading", *order])).rows}
        for order in (rows, rows[::-1])
    ]
    assert keys[0] == keys[1]
    assert keys[0] == {
        "わたし": "row:I\x1f私\x1fわたし", "わたくし": "row:I\x1f私\x1fわたくし", "": "row:I\x1f私",
    }  # fmt: skip


def test_a_reading_that_is_mended_changes_no_key() -> None:
    before, after = (only(f"prompt,answer,reading\nI,私,{reading}\n") for reading in ("", "わたし"))
    assert before.key == after.key


def test_a_blank_of_a_word_is_its_prompt() -> None:
    assert blank_of(only("prompt,answer\nto eat,食べる\n")) == ("to eat", "")
