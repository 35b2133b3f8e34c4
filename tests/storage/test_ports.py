"""Each store offers exactly its port."""

from __future__ import annotations

import inspect

import pytest

from lessons import ports
from storage.appeals import AppealStore
from storage.articles import ArticleStore
from storage.documents import DocumentStore
from storage.drills import DrillStore
from storage.feeds import FeedStore
from storage.groups import GroupStore
from storage.judgements import JudgementStore
from storage.learners import LearnerStore
from storage.memories import MemoryStore
from storage.mistakes import MistakeStore
from storage.packs import PackStore
from storage.profiles import ProfileStore
from storage.schedules import ScheduleStore
from storage.studies import StudyStore
from storage.usage import UsageStore


def offers(kind: type) -> dict[str, str]:
    return {
        name: str(inspect.signature(member))
        for name, member in inspect.getmembers(kind, inspect.iscoroutinefunction)
        if not name.startswith("_")
    }


@pytest.mark.parametrize(
    ("store", "port"),
    [
        (LearnerStore, ports.Learners),
        (PackStore, ports.Packs),
        (DrillStore, ports.Drills),
        (MistakeStore, ports.Mistakes),
        (AppealStore, ports.Appeals),
        (MemoryStore, ports.Memories),
        (FeedStore, ports.Feeds),
        (ArticleStore, ports.Articles),
        (UsageStore, ports.Usage),
        (JudgementStore, ports.Judgements),
        (DocumentStore, ports.Documents),
        (ProfileStore, ports.Profiles),
        (StudyStore, ports.Studies),
        (GroupStore, ports.Groups),
        (ScheduleStore, ports.Schedules),
    ],
)
def test_a_store_offers_its_port(store: type, port: type) -> None:
    assert offers(store) == offers(port)
