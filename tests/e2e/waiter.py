"""A small bot with one of everything that the demo's page has to cope with."""

from __future__ import annotations

import io

import discord
from discord import app_commands
from discord.ext import commands


class Reply(discord.ui.Modal, title="こたえ"):
    word = discord.ui.TextInput(label="[＿＿＿]")

    async def on_submit(self, interaction: discord.Interaction) -> None:
        view = discord.ui.LayoutView(timeout=None)
        view.add_item(discord.ui.TextDisplay(f"答え: {self.word.value}"))
        view.add_item(discord.ui.ActionRow(discord.ui.Button(label="Next", custom_id="next:2")))
        await interaction.response.edit_message(view=view)


def card(number: int) -> discord.ui.LayoutView:
    menu = discord.ui.Select(
        custom_id="kind", placeholder="Kind of mistake", options=[discord.SelectOption(label="助詞", value="particle")]
    )
    view = discord.ui.LayoutView(timeout=None)
    view.add_item(
        discord.ui.Container(
            discord.ui.TextDisplay(f"{number}/10 図書館[＿＿＿]勉強します。"),
            discord.ui.ActionRow(
                discord.ui.Button(label="Answer", custom_id="answer"),
                discord.ui.Button(label="Skip", custom_id=f"next:{number + 1}"),
            ),
            discord.ui.ActionRow(menu),
        )
    )
    return view


async def drill(interaction: discord.Interaction, pack: str | None = None) -> None:
    if pack:
        await interaction.response.send_message(f"pack {pack}", ephemeral=True)
    else:
        await interaction.response.send_message(view=card(1), ephemeral=interaction.guild is not None)


async def packs(_: discord.Interaction, current: str) -> list[app_commands.Choice[str]]:
    return [app_commands.Choice(name=name, value=name) for name in ("げんき", "まるごと") if current in name]


async def load(interaction: discord.Interaction, file: discord.Attachment) -> None:
    copy = discord.File(io.BytesIO(await file.read()), "copy.csv")
    await interaction.response.send_message(f"{file.filename} arrived", file=copy, ephemeral=True)


class Waiter(commands.Bot):
    """A bot with one of everything that a page has to cope with."""

    def __init__(self) -> None:
        super().__init__("!", intents=discord.Intents(guilds=True, members=True, messages=True), allowed_mentions=None)

    async def setup_hook(self) -> None:
        pack = app_commands.Group(
            name="pack", description="Packs", default_permissions=discord.Permissions(manage_guild=True)
        )
        pack.command(name="load", description="Load")(load)
        command = app_commands.Command(name="drill", description="Drill", callback=drill)
        command.autocomplete("pack")(packs)
        self.tree.add_command(pack)
        self.tree.add_command(command)
        await self.tree.sync()

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        if interaction.type is not discord.InteractionType.component:
            return
        assert interaction.data is not None
        name, _, number = str(interaction.data.get("custom_id")).partition(":")
        if name == "answer":
            await interaction.response.send_modal(Reply())
        elif name == "next":
            await interaction.response.edit_message(view=card(int(number)))
        else:
            await interaction.response.send_message(f"chosen {interaction.data.get('values')}", ephemeral=True)

    def person(self, key: str) -> discord.User:
        return next(user for user in self.users if user.name == key)

    def room(self, name: str) -> discord.TextChannel:
        return next(channel for channel in self.guilds[0].text_channels if channel.name == name)
