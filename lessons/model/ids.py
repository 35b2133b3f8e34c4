"""What things and people are called by: Discord's snowflakes and the database's row ids, kept apart by type."""

from __future__ import annotations

from typing import NewType

UserId = NewType("UserId", int)
GuildId = NewType("GuildId", int)
ChannelId = NewType("ChannelId", int)
InteractionId = NewType("InteractionId", int)
PackId = NewType("PackId", int)
ItemId = NewType("ItemId", int)
DrillId = NewType("DrillId", int)
ExerciseId = NewType("ExerciseId", int)
AttemptId = NewType("AttemptId", int)
MistakeId = NewType("MistakeId", int)
UploadId = NewType("UploadId", int)
AppealId = NewType("AppealId", int)
FeedId = NewType("FeedId", int)
UsageId = NewType("UsageId", int)
DocumentId = NewType("DocumentId", int)
ChunkId = NewType("ChunkId", int)
StudyId = NewType("StudyId", int)
TurnId = NewType("TurnId", int)
ScheduleId = NewType("ScheduleId", int)
RunId = NewType("RunId", int)
SharedId = NewType("SharedId", int)
MessageId = NewType("MessageId", int)
