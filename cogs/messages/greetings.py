"""What the bot says about itself."""

from __future__ import annotations

from typing import Final

from cogs.ui.escape import safe

PRACTICE_NOTE: Final = "-# Lesson practice · counted apart from the news"


def greeting(contact: str) -> str:
    """Say what the bot does, where to begin, and what it keeps."""
    asked = f" Questions: {safe(contact, 200)}." if contact else ""
    return (
        "I drill Japanese with you and keep what you miss, so that you see your own pattern.\n"
        "**/drill** starts right away · **/news** fills gaps in recent news · **/mistakes** shows what you missed · "
        "**/ask** and **/study** bring a tutor who knows you by your `/profile` · **/settings** sets your time zone.\n"
        "-# I keep your answers, mistakes, documents and studies for you alone, and read no messages but those in your "
        f"studies. `/mydata` shows all of it, and deletes it.{asked}"
    )
