"""How a practice interview goes (opening, follow-ups, a new angle after a few, a closing), and how a scene does."""

from __future__ import annotations

from typing import Final

ANGLES: Final = (
    ("yourself", "自己紹介をお願いします。これまでのご経験も簡単に教えてください。"),
    ("motives", "今回応募された理由を教えてください。"),
    ("experience", "これまでで一番大変だったことと、それをどう乗り越えたかを教えてください。"),
    ("working with others", "チームで意見が分かれたとき、どのように進めますか。"),
    ("plans", "三年後にはどのようなことをしていたいですか。"),
)
"""What is asked about in turn, and the question that opens it where no model asks."""

PER_ANGLE: Final = 3
"""Questions to an angle: the one that opens it and two follow-ups."""
QUESTIONS: Final = PER_ANGLE * len(ANGLES)
"""Questions of a whole interview."""

_FOLLOW_UPS: Final = (
    "もう少し詳しく教えてください。具体的な例を一つ挙げていただけますか。",
    "その経験から、何を学びましたか。",
)
CLOSING: Final = "本日はお時間をいただき、ありがとうございました。以上で面接を終わります。"


def interview_instruction(asked: int) -> str:
    """Say what the interviewer does in this turn; `asked` questions were asked before it."""
    angle, name = _angle(asked)
    goal = "Goal direction: answers the learner would give aloud in the interview. Step now: "
    if asked >= QUESTIONS:
        return f"{goal}thank for the last answer in one sentence, and close the interview. Ask nothing more."
    if asked == 0:
        return (
            f"{goal}open the interview: greet, say in one sentence what it is for, and ask the first question ({name})."
        )
    if asked % PER_ANGLE == 0:
        return f"{goal}change the angle: leave the subject before with half a sentence, and ask about {name}."
    return f"{goal}follow up: take up one concrete word of the last answer and ask one question about it ({name}, angle {angle + 1})."


def roleplay_instruction(said: int, *, closing: bool = False) -> str:
    """Say what the other person in a scene does in this turn; `said` lines were said in it before."""
    goal = "Goal direction: the learner gets through the scene in their own words. Step now: "
    if closing:
        return f"{goal}bring the scene to a natural end in your role; below it name in two lines what worked and what to practise."
    if not said:
        return f"{goal}open the scene in your role with its first line, after one line in reply_language that sets it."
    return f"{goal}go on in your role; answer what was said, leave something to be answered, and put a mistake right in one line (✎)."


def interview_question(asked: int) -> str:
    """Return the fixed question of this turn, or the closing, where no model asks."""
    if asked >= QUESTIONS:
        return CLOSING
    angle, _ = _angle(asked)
    return ANGLES[angle][1] if asked % PER_ANGLE == 0 else _FOLLOW_UPS[asked % PER_ANGLE - 1]


def _angle(asked: int) -> tuple[int, str]:
    place = min(asked // PER_ANGLE, len(ANGLES) - 1)
    return place, ANGLES[place][0]
