"""What a moderator reads about the rows of a file: every problem as a real file makes it."""

from __future__ import annotations

import pytest

from lessons.material import read
from lessons.model import ErrorType, ProblemKind
from lessons.wording import place, problem

SKILLS = ", ".join(ErrorType)

FILES = [
    (ProblemKind.NO_PROMPT, "prompt,answer\n,x\n", "line 2, prompt: the question is empty"),
    (ProblemKind.NO_ANSWER, "question,answer\nwho?,\n", "line 2, answer: there is no answer"),
    (
        ProblemKind.NO_BLANK,
        "prompt,answer\n私{{c1::は学生です,は\n",
        "line 2, prompt: the marks of its cloze, {{ and }}, do not match",
    ),
    (
        ProblemKind.NO_BLANK,
        "type,prompt,answer\ncloze,犬は犬,犬\n",
        "line 2, prompt: the answer “犬” stands in the sentence 2 times; put [＿＿＿] where it is asked",
    ),
    (
        ProblemKind.SEVERAL_BLANKS,
        "prompt,answer\n___は___です,私\n",
        "line 2, prompt: the sentence has 2 blanks; only one can be asked",
    ),
    (
        ProblemKind.ANSWER_NOT_IN_SENTENCE,
        "type,prompt,answer\ncloze,この文には穴がない。,犬\n",
        "line 2, prompt: the answer “犬” does not occur in the sentence as it is written there",
    ),
    (
        ProblemKind.PROMPT_TOO_LONG,
        f"prompt,answer\n{'a' * 401},b\n",
        "line 2, prompt: the question has 401 characters; at most 400 fit",
    ),
    (
        ProblemKind.CELL_TOO_LONG,
        f"prompt,answer\na,{'b' * 3000}\n",
        "line 2, answer: the text has 3000 characters; at most 200 fit",
    ),
    (
        ProblemKind.CELL_TOO_LONG,
        f"prompt,answer,explanation\na,b,{'c' * 10_001}\n",
        "line 2, explanation: the text has 10001 characters; at most 10000 fit",
    ),
    (
        ProblemKind.CELL_TOO_LONG,
        f"prompt,answer,explanation\na,b,{'c' * 3000}\n",
        "line 2, explanation: the text has 3000 characters; it is loaded whole, and shortened on screen",
    ),
    (
        ProblemKind.TOO_MANY_ANSWERS,
        f"prompt,answer\na,{'|'.join(map(str, range(51)))}\n",
        "line 2, answer: there are 51 answers; at most 50 fit",
    ),
    (
        ProblemKind.UNKNOWN_TYPE,
        "type,prompt,answer\nessay,a,b\n",
        "line 2, type: the type “essay” is neither cloze nor vocab",
    ),
    (
        ProblemKind.UNKNOWN_SKILL,
        "prompt,answer,skill\na,b,grammar\n",
        f"line 2, skill: the row is loaded without its skill “grammar”, which is not one of: {SKILLS}",
    ),
    (
        ProblemKind.DUPLICATE,
        'prompt,answer\na,b\n"~ district, ~ ward",区\n\n"~ district, ~ ward",区\n',
        "line 5, prompt: “~ district, ~ ward → 区” stands in line 3 already",
    ),
    (
        ProblemKind.DUPLICATE,
        "id,prompt,answer\nw-12,a,b\nw-12,c,d\n",
        "line 3, id: “w-12” stands in line 2 already",
    ),
    (
        ProblemKind.DUPLICATE,
        f"prompt,answer\n{'x' * 90},b\n{'x' * 90},b\n",
        f"line 3, prompt: “{'x' * 80}…” stands in line 2 already",
    ),
    (
        ProblemKind.CONTROL_CHARACTER,
        "prompt,answer\na\x07,b\n",
        "line 2, prompt: there is a control character in the cell (U+0007)",
    ),
    (
        ProblemKind.CONTROL_CHARACTER,
        "prompt,answer\na,b\u202ec\n",
        "line 2, answer: “b\u202ec” holds a character that nobody can type",
    ),
    (
        ProblemKind.EXTRA_CELLS,
        'prompt,answer\na,b,"stray, cell"\n',
        "line 2, 3: there are more cells than columns (2), from “stray, cell” on",
    ),
    (ProblemKind.UNBALANCED_QUOTE, 'prompt,answer\n"a"x,b\nc,d\n', "line 2: a quotation mark is opened and not closed"),
    (
        ProblemKind.PROMPT_SHOWS_ANSWER,
        "prompt,answer\n犬がいる,が\n",
        "line 2, prompt: the question shows its own answer: “が”",
    ),
]


@pytest.mark.parametrize(("kind", "file", "sentence"), FILES)
def test_the_sentence_of_a_problem_has_its_facts(kind: ProblemKind, file: str, sentence: str) -> None:
    (found,) = read(file.encode(), "x.csv").problems
    assert found.kind is kind
    assert f"{place(found)}: {problem(found)}" == sentence


@pytest.mark.parametrize(("kind", "file", "_"), FILES)
def test_only_a_row_that_is_loaded_is_called_so(kind: ProblemKind, file: str, _: str) -> None:
    sheet = read(file.encode(), "x.csv")
    (found,) = sheet.problems
    loaded = found.line in {row.line for row in sheet.rows}
    assert loaded is not found.fatal
    assert ("loaded" in problem(found)) <= loaded


def test_every_kind_of_problem_has_a_file() -> None:
    assert {kind for kind, _, _ in FILES} == set(ProblemKind)
