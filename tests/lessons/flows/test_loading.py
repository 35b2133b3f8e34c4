"""From a file to a pack and back, over real stores."""

from dataclasses import replace

import pytest

from bot.app import Services
from lessons.errors import EmptyPack, Gone, PressLeadsNowhere, StarterPack, UnknownPack, UnreadableFile, UnusableName
from lessons.flows.loading import Effects
from lessons.model import GuildId, ItemKind, PackId, Upload, UploadId, UserId
from tests.conftest import BEGINNING, MovableClock

HERE, THERE = GuildId(10), GuildId(20)
AOKI = UserId(5)
ROWS = "lesson,type,prompt,answer,reading\n1,cloze,海[＿＿＿]見る。,を,\n2,vocab,sea,海,うみ\n"


def upload(text: str = ROWS, name: str = "umi", language: str = "ja") -> Upload:
    return Upload(UploadId(0), HERE, AOKI, name, language, False, "umi.csv", text.encode(), BEGINNING)


async def load(services: Services, clock: MovableClock, given: Upload):
    shown = await services.loading.preview(given)
    return (await services.loading.confirm(shown.upload.id, HERE, AOKI, clock())).change


async def test_what_the_dictionary_adds(services: Services, clock: MovableClock) -> None:
    change = await load(services, clock, upload())
    particle, word = (await services.loading.shelf(change.pack.id, HERE)).items
    assert (particle.part_of_speech, particle.furigana) == ("助詞", "海(うみ)[＿＿＿]見(み)る。")
    assert (word.row.kind, word.part_of_speech, word.furigana) == (ItemKind.VOCAB, "名詞", "")
    assert word.accepted[0].readings == ("うみ",)
    assert word.accepted[0].analysis.reading == "うみ"


async def test_other_languages_are_stored_without_a_dictionary(services: Services, clock: MovableClock) -> None:
    change = await load(services, clock, upload("prompt,answer\nkündig[___]n,e\n", language="de"))
    (item,) = (await services.loading.shelf(change.pack.id, HERE)).items
    assert item.accepted[0].analysis.words == ()


async def test_names_and_empty_packs_are_refused(services: Services) -> None:
    for name in ("", "  ", "あ" * 61):
        with pytest.raises(UnusableName):
            await services.loading.preview(upload(name=name))
    with pytest.raises(EmptyPack) as empty:
        await services.loading.preview(upload("prompt,answer\n,x\n"))
    assert len(empty.value.problems) == 1
    with pytest.raises(UnreadableFile):
        await services.loading.preview(upload(""))


async def test_held_files_belong_to_their_server_and_go_once(services: Services, clock: MovableClock) -> None:
    shown = await services.loading.preview(upload())
    with pytest.raises(PressLeadsNowhere) as gone:
        await services.loading.confirm(shown.upload.id, THERE, AOKI, clock())
    assert gone.value.why is Gone.FOREIGN
    again = await services.loading.problems(shown.upload.id, HERE)
    assert again.sheet == shown.sheet
    assert (await services.loading.cancel(shown.upload.id, HERE)).file_name == "umi.csv"
    with pytest.raises(PressLeadsNowhere) as gone:
        await services.loading.confirm(shown.upload.id, HERE, AOKI, clock())
    assert gone.value.why is Gone.DECIDED


async def test_two_confirmations_at_once_load_once(services: Services, clock: MovableClock) -> None:
    import asyncio

    shown = await services.loading.preview(upload())
    confirmations = [services.loading.confirm(shown.upload.id, HERE, AOKI, clock()) for _ in range(5)]
    results = await asyncio.gather(*confirmations, return_exceptions=True)
    assert sum(isinstance(result, PressLeadsNowhere) for result in results) == 4


async def test_export_and_load_keep_every_row_and_id(services: Services, clock: MovableClock) -> None:
    for pack in await services.loading.packs_of(None):
        data = await services.loading.export(pack.id, None)
        first = await load(services, clock, replace(upload(name=pack.name), data=data))
        before = (await services.loading.shelf(first.pack.id, HERE)).items
        second = await load(
            services, clock, replace(upload(name=pack.name), data=await services.loading.export(first.pack.id, HERE))
        )
        assert (second.added, second.updated, second.removed) == (0, 0, 0)
        after = (await services.loading.shelf(first.pack.id, HERE)).items
        assert [item.id for item in after] == [item.id for item in before]
        starter = (await services.loading.shelf(pack.id, None)).items
        assert [replace(i.row, line=0) for i in after] == [replace(i.row, line=0) for i in starter]


async def test_packs_of_other_servers_are_out_of_reach(services: Services, clock: MovableClock) -> None:
    change = await load(services, clock, upload())
    starter = await services.loading.find("particles", None)
    for attempt, why in [
        (services.loading.shelf(change.pack.id, THERE), Gone.FOREIGN),
        (services.loading.shelf(PackId(999), THERE), Gone.UNKNOWN),
        (services.loading.remove(change.pack.id, THERE, clock()), Gone.FOREIGN),
        (services.loading.remove(starter.id, HERE, clock()), Gone.FOREIGN),
    ]:
        with pytest.raises(PressLeadsNowhere) as gone:
            await attempt
        assert gone.value.why is why


async def test_what_loading_does_to_the_starter_packs_is_known_before_and_after(
    services: Services, clock: MovableClock
) -> None:
    shown = await services.loading.preview(upload())
    assert shown.effects == Effects(first=True)
    assert (await services.loading.confirm(shown.upload.id, HERE, AOKI, clock())).effects == Effects(first=True)
    assert (await services.loading.preview(upload())).effects == Effects()
    particles = await services.loading.find("particles", None)
    for name in ("Particles", "ＰＡＲＴＩＣＬＥＳ"):
        shown = await services.loading.preview(upload(name=name))
        assert shown.effects == Effects(first=False, shadowed=particles)
    verbs = await services.loading.find("verb_forms", None)
    assert (await services.loading.preview(upload(name=verbs.title))).effects.shadowed == verbs
    done = await services.loading.confirm(shown.upload.id, HERE, AOKI, clock())
    assert done.effects.shadowed == particles
    assert (await services.loading.find("particles", HERE)).guild_id == HERE
    there = await services.loading.preview(replace(upload(), guild_id=THERE))
    assert there.effects.first


async def test_a_preview_knows_the_removed_pack_that_it_brings_back(services: Services, clock: MovableClock) -> None:
    change = await load(services, clock, upload())
    shown = await services.loading.preview(upload(name="ＵＭＩ"))
    assert (shown.existing, shown.removed) == (change.pack, None)
    await services.loading.remove(change.pack.id, HERE, clock())
    shown = await services.loading.preview(upload(name="ＵＭＩ"))
    assert (shown.existing, shown.removed) == (None, change.pack)
    assert (await services.loading.problems(shown.upload.id, HERE)).removed == change.pack
    assert (await services.loading.preview(replace(upload(), guild_id=THERE))).removed is None
    assert (await load(services, clock, upload())).unchanged == 2


async def test_only_packs_of_the_server_itself_can_be_removed(services: Services, clock: MovableClock) -> None:
    change = await load(services, clock, upload())
    assert await services.loading.own("umi", HERE) == change.pack
    with pytest.raises(StarterPack) as starter:
        await services.loading.own("PARTICLES", HERE)
    assert starter.value.name == "particles"
    with pytest.raises(UnknownPack) as unknown:
        await services.loading.own("yama", HERE)
    assert unknown.value.known == ("umi",)
