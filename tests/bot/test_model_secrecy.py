"""No key, no turn and no reply in any log or error, at whatever level, whatever happens."""

import logging
import traceback

import pytest

from bot.clients.model import wire
from lessons.errors import ModelAway
from lessons.model import ModelReply, Speaker
from tests.messages.asking import CANARY, KEY, a_call, a_model, a_turn, heard, outcome
from tests.messages.behaviours import cuts, fails, obeys, raw, refuses, runs_out, says, stalls
from tests.messages.server import messages_server
from tests.messages.streams import (
    babbles_after,
    cuts_after,
    ends_after,
    fails_after,
    leaks_system,
    refuses_after,
    stalls_after,
)

REPLY = "返事のカナリア"
RULES = "The canary of the rules."
SECRETS = (KEY, CANARY, REPLY, RULES, repr(CANARY.encode())[2:20], "\\u30ab\\u30ca\\u30ea\\u30a2")

EVERYTHING = {
    "a reply": says(REPLY),
    "obedience": obeys(),
    "a cut reply": runs_out(REPLY * 9),
    "a refusal": refuses(REPLY),
    "a hostile category": refuses(category=f"{CANARY}\nERROR {KEY}"),
    "a key refused": fails(401, "authentication_error", f"bad key {KEY}"),
    "a fault of ours": fails(400, "invalid_request_error", f"cannot use {CANARY}"),
    "a hostile kind": fails(422, f"{CANARY} {KEY}", code=f"{CANARY} {KEY}"),
    "a limit": fails(429, "rate_limit_error", CANARY, retry_after=30),
    "a hostile wait": fails(429, "rate_limit_error", CANARY, retry_after=f"{KEY}"),
    "a spending limit": fails(429, "rate_limit_error", CANARY, code="enforced_spend_limit_reached"),
    "trouble": fails(500, "api_error", CANARY),
    "a cut line": cuts(),
    "a line cut midway": cuts(midway=True),
    "no JSON": raw(CANARY.encode()),
    "another page": raw(CANARY.encode(), content_type="text/html"),
    "a stall": stalls(),
}
STREAMED = EVERYTHING | {
    "a stall midway": stalls_after(1, REPLY * 9),
    "a line cut midway": cuts_after(1, REPLY * 9),
    "an end without one": ends_after(1, REPLY * 9),
    "trouble midway": fails_after(1, REPLY * 9, message=CANARY),
    "a hostile kind midway": fails_after(1, REPLY * 9, f"{CANARY} {KEY}", CANARY),
    "babble": babbles_after(1, REPLY * 9, f"event: message_delta\ndata: {CANARY}\n\n".encode()),
    "babble that is JSON": babbles_after(1, REPLY * 9, f'event: message_delta\ndata: ["{CANARY}"]\n\n'.encode()),
    "a refusal midway": refuses_after(1, REPLY * 9, category=f"{CANARY}\nERROR {KEY}"),
    "the rules": leaks_system(),
}


@pytest.fixture
def everything_logged(caplog, monkeypatch):
    """Whoever can log does, as loudly as it can: by every level there is, and by the SDK's own variable."""
    monkeypatch.setenv("ANTHROPIC_LOG", "debug")
    caplog.set_level(logging.DEBUG)
    for name in list(logging.root.manager.loggerDict):
        caplog.set_level(logging.DEBUG, logger=name)
    return caplog


def told(caplog) -> str:
    lines = [f"{record.name} {record.getMessage()} {record.args} {record.exc_text}" for record in caplog.records]
    return "\n".join([caplog.text, *lines])


@pytest.mark.parametrize("behaviour", EVERYTHING.values(), ids=EVERYTHING.keys())
async def test_nothing_that_is_said_is_logged(everything_logged, clock, behaviour):
    async with messages_server(behaviour) as server, a_model(server, clock) as model:
        ended = await outcome(model, a_call(system=RULES, seconds=0.3 if behaviour is EVERYTHING["a stall"] else 20))
    assert server.requests
    assert not [secret for secret in SECRETS if secret in told(everything_logged)]
    if isinstance(ended, ModelAway):
        worded = "".join(traceback.format_exception(ended)) + str(ended) + repr(ended)
        assert not [secret for secret in SECRETS if secret in worded]
        assert ended.__cause__ is None
        assert ended.__context__ is None
    else:
        assert isinstance(ended, ModelReply)


@pytest.mark.parametrize("behaviour", STREAMED.values(), ids=STREAMED.keys())
async def test_nothing_that_is_streamed_is_logged(everything_logged, clock, behaviour):
    async with messages_server(behaviour) as server, a_model(server, clock, pace={"first_piece": 0.3}) as model:
        call = a_turn(system=RULES, history=((Speaker.LEARNER, CANARY), (Speaker.TUTOR, REPLY)), seconds=2)
        _, ended = await heard(model, call)
    assert server.requests
    assert not [secret for secret in SECRETS if secret in told(everything_logged)]
    if isinstance(ended, ModelAway):
        worded = "".join(traceback.format_exception(ended)) + str(ended) + repr(ended)
        assert not [secret for secret in SECRETS if secret in worded]
        assert ended.__cause__ is None
        assert ended.__context__ is None


async def test_a_provider_that_is_not_there_hears_nothing_logged_either(everything_logged, clock):
    async with a_model("http://127.0.0.1:9", clock) as model:
        await outcome(model)
    assert not [secret for secret in SECRETS if secret in told(everything_logged)]


async def test_the_loggers_of_the_sdk_never_get_below_warning(everything_logged, clock):
    async with messages_server() as server, a_model(server, clock) as model:
        await outcome(model)
    names = [name for name in logging.root.manager.loggerDict if name.split(".")[0] in wire.TALKATIVE]
    assert {"anthropic._base_client", "httpx2", "httpcore2.http11"} <= set(names)
    assert min(logging.getLogger(name).getEffectiveLevel() for name in names) >= logging.WARNING


async def test_a_hostile_name_never_reaches_the_log(everything_logged, clock):
    async with messages_server(EVERYTHING["a hostile kind"]) as server, a_model(server, clock) as model:
        await outcome(model)
    assert "cannot use a request (status 422, unnamed)" in everything_logged.text


def test_what_stands_for_a_client_shows_no_key(clock):
    from bot.clients.model import ClaudeModel

    assert KEY not in repr(ClaudeModel(KEY, clock=clock))
