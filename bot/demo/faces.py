"""Draws the round faces of the demo's people and of the bot, so that it is plain who speaks."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Final

from PIL import Image, ImageDraw, ImageFont

if TYPE_CHECKING:
    from collections.abc import Mapping

SIDE: Final = 160
PAPER: Final = "#fffdf9"
COLOURS: Final = {"mika": "#3f8f7f", "tom": "#c98a3b", "aoki": "#4f6d9b"}
"""A face a person, by key; the lobby's style sheet uses the same colours."""
BOT_KEY: Final = "kizuki"
BOT_COLOUR: Final = "#22685a"
CDN: Final = "https://cdn.simcord.invalid/avatars"
"""Where SimCord keeps pictures; nothing is ever fetched from there."""


def initial(name: str, colour: str) -> bytes:
    """Draw the first letter of a name on a colour, as a PNG."""
    image = Image.new("RGB", (SIDE, SIDE), colour)
    ImageDraw.Draw(image).text(
        (SIDE / 2, SIDE / 2), name[0], fill=PAPER, font=ImageFont.load_default(SIDE * 0.52), anchor="mm"
    )
    return _png(image)


def noticing() -> bytes:
    """Draw the bot's mark, a ring that has noticed something, as a PNG."""
    image = Image.new("RGB", (SIDE, SIDE), BOT_COLOUR)
    draw = ImageDraw.Draw(image)
    draw.ellipse((44, 50, 110, 116), outline=PAPER, width=13)
    draw.ellipse((101, 31, 129, 59), fill="#f2c27f")
    return _png(image)


def gallery(bot_id: int, people: Mapping[str, tuple[int, str]]) -> dict[str, tuple[str, bytes]]:
    """Give every face by the address that the page asks for; `people` maps key to (user id, name).

    A user's picture is named after their key, the bot's after `BOT_KEY`.
    """
    faces = {f"{CDN}/{bot_id}/{BOT_KEY}.png": (f"{BOT_KEY}.png", noticing())}
    for key, (user_id, name) in people.items():
        faces[f"{CDN}/{user_id}/{key}.png"] = (f"{key}.png", initial(name, COLOURS[key]))
    return faces


def _png(image: Image.Image) -> bytes:
    file = BytesIO()
    image.save(file, "PNG")
    return file.getvalue()
