"""Recognises pages that stand before an article: consent, log-in, captcha."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lxml.html import HtmlElement

_PHRASES: Final = (
    # consent
    r"(?:we|our partners)\b[^.]{0,60}\b(?:use|store)\b[^.]{0,60}\bcookies",
    r"accept all",
    r"before you continue",
    r"manage (?:my )?(?:cookie|privacy) (?:settings|preferences)",
    r"alle (?:cookies )?(?:akzeptieren|annehmen)",
    r"bevor sie (?:fortfahren|weiterlesen|zu \S{1,30} weitergehen)",
    r"(?:wir|unsere partner)\b[^.]{0,80}\bcookies",
    r"(?:tout|tous) (?:accepter|refuser)|(?:nous|nos partenaires)\b[^.]{0,80}\bcookies",
    r"aceptar (?:todo|todas)|(?:nosotros|nuestros socios|utilizamos)\b[^.]{0,80}\bcookies",
    r"accetta tutt[io]|(?:noi|utilizziamo|nostri partner)\b[^.]{0,80}\bcookie",
    r"aceitar tud[oa]s?|alles accepteren|alle cookies toestaan|принять все",
    r"(?:クッキー|cookie)[^。]{0,40}(?:同意|使用|利用|許可)",
    r"(?:すべて|全て)(?:に)?(?:同意|許可|受け入れ)",
    r"モバイル端末で(?:の)?閲覧|続行するには同意",
    # log-in
    r"(?:log|sign) in to (?:continue|read|view|your account)|(?:subscribe|register) to (?:continue|read)",
    r"already (?:a subscriber|have an account)",
    r"(?:bitte )?(?:melden sie sich an|loggen sie sich ein|jetzt anmelden)|zum weiterlesen",
    r"connectez-vous|identifiez-vous|inicia(?:r)? sesión|accedi per|faça login",
    r"ログイン(?:して|が必要|画面|する)|会員登録(?:して|が必要|する)|会員限定|続きを(?:読む|ご覧になる)には|有料会員",
    # captcha
    r"(?:verify|confirm|prove)[^.]{0,30}(?:you are|you're|you are not)[^.]{0,12}(?:human|robot)",
    r"checking (?:if the site connection is secure|your browser)|just a moment|enable javascript and cookies",
    r"kein roboter|je ne suis pas un robot|no soy un robot|ロボットではありません|ロボットではないこと",
    r"unusual traffic|ungewöhnliche(?:n)? datenverkehr|attention required! \| cloudflare",
)
_PHRASE: Final = [re.compile(phrase, re.IGNORECASE) for phrase in _PHRASES]
_MARKS: Final = re.compile(
    r"g-recaptcha|h-captcha|cf-challenge|cf-turnstile|challenge-platform|consent\.(?:google|yahoo|youtube)|guce\.|"
    r"captcha-delivery|px-captcha",
    re.IGNORECASE,
)
_MANY: Final = 3
_LONG: Final = 3000


def is_wall(title: str, lines: Sequence[str]) -> bool:
    """Tell whether text is a wall's own: its title says so, or it says three different things that walls say."""
    text = "\n".join(lines)
    if len(text) > _LONG:
        return False
    return (_said(title) > 0 and _said(text) > 0) or _said(text) >= _MANY


def speaks_of_wall(line: str) -> bool:
    """Tell whether a line is what a wall says."""
    return _said(line) > 0


def has_wall_markup(tree: HtmlElement) -> bool:
    """Tell whether a page holds a password field, a captcha, or the address of a known consent service."""
    for element in tree.iter("input", "form", "iframe", "script", "div"):
        if element.tag == "input" and (element.get("type") or "").lower() == "password":
            return True
        named = (element.get(name) or "" for name in ("id", "class", "src", "action"))
        if any(_MARKS.search(value) for value in named if value):
            return True
    return False


def _said(text: str) -> int:
    return sum(1 for phrase in _PHRASE if phrase.search(text[:_LONG]))
