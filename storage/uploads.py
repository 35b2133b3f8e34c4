"""Files that moderators sent, held until they are confirmed or cancelled, a day at most."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from lessons.model import Upload, UploadId
from storage import codec

if TYPE_CHECKING:
    from storage.session import Reading, Writing

HELD: Final = timedelta(days=1)

_HOLD: Final = """
    INSERT INTO upload (guild_id, user_id, pack_name, language, strict_kana, file_name, data, at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING id
"""


async def hold(transaction: Writing, upload: Upload) -> UploadId:
    """Keep a file, and drop those that are older than a day by then."""
    await transaction.run("DELETE FROM upload WHERE at < ?", (codec.to_ms(upload.at - HELD),))
    (row,) = await transaction.all(
        _HOLD,
        (
            upload.guild_id,
            upload.user_id,
            upload.pack_name,
            upload.language,
            upload.strict_kana,
            upload.file_name,
            upload.data,
            codec.to_ms(upload.at),
        ),
    )
    return UploadId(row["id"])


async def find(snapshot: Reading, upload: UploadId) -> Upload | None:
    """Return a held file."""
    row = await snapshot.one("SELECT * FROM upload WHERE id = ?", (upload,))
    return codec.upload(row) if row else None


async def drop(transaction: Writing, upload: UploadId) -> bool:
    """Forget a held file; tell whether it was there."""
    return await transaction.one("DELETE FROM upload WHERE id = ? RETURNING id", (upload,)) is not None
