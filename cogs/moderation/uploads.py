"""Files that people send along: looked at before they are fetched."""

from __future__ import annotations

import aiohttp
import discord

from cogs.refusals import AttachmentLost, AttachmentTooLarge


async def contents(file: discord.Attachment, limit: int) -> bytes:
    """Fetch an attachment of at most `limit` bytes. Raises AttachmentTooLarge, AttachmentLost."""
    if file.size > limit:
        raise AttachmentTooLarge(file.size, limit)
    try:
        return await file.read()
    except (discord.HTTPException, aiohttp.ClientError) as error:
        raise AttachmentLost from error
