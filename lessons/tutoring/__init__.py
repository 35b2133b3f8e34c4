"""The tutor's words: what it is asked, what of its reply is seen, how a study goes on, and what it says without a model."""

from lessons.tutoring.correcting import (
    COMPOSITION_SCHEMA,
    COMPOSITION_SYSTEM,
    card,
    composition_call,
    corrections_call,
    parse_composition,
    said,
)
from lessons.tutoring.fencing import visible
from lessons.tutoring.interviewing import (
    CLOSING,
    QUESTIONS,
    interview_instruction,
    interview_question,
    roleplay_instruction,
)
from lessons.tutoring.looking_up import (
    NO_SCENE,
    Explanation,
    answer,
    explained,
    points_in,
    study_report,
    study_turn,
    why,
)
from lessons.tutoring.minding import PAGE, Cleaning, leaks, pages, quoted
from lessons.tutoring.naming import kinds_in
from lessons.tutoring.personas import DEFAULT, PERSONAS, Persona, persona
from lessons.tutoring.progressing import Event, advance, current
from lessons.tutoring.reporting import REPORT_SCHEMA, REPORT_SYSTEM, Report, parse_report, report_by_counts, report_call
from lessons.tutoring.roadmaps import ROADMAP_SCHEMA, ROADMAP_SYSTEM, parse_roadmap, roadmap, roadmap_call
from lessons.tutoring.rules import LABELS, SPEAKING, rules, secrets, system
from lessons.tutoring.speaking import Asked, Miss, call, remembered

__all__ = [
    "CLOSING",
    "COMPOSITION_SCHEMA",
    "COMPOSITION_SYSTEM",
    "DEFAULT",
    "LABELS",
    "NO_SCENE",
    "PAGE",
    "PERSONAS",
    "QUESTIONS",
    "REPORT_SCHEMA",
    "REPORT_SYSTEM",
    "ROADMAP_SCHEMA",
    "ROADMAP_SYSTEM",
    "SPEAKING",
    "Asked",
    "Cleaning",
    "Event",
    "Explanation",
    "Miss",
    "Persona",
    "Report",
    "advance",
    "answer",
    "call",
    "card",
    "composition_call",
    "corrections_call",
    "current",
    "explained",
    "interview_instruction",
    "interview_question",
    "kinds_in",
    "leaks",
    "pages",
    "parse_composition",
    "parse_report",
    "parse_roadmap",
    "persona",
    "points_in",
    "quoted",
    "remembered",
    "report_by_counts",
    "report_call",
    "roadmap",
    "roadmap_call",
    "roleplay_instruction",
    "rules",
    "said",
    "secrets",
    "study_report",
    "study_turn",
    "system",
    "visible",
    "why",
]
