"""Where a model lies on this machine, and the one place that brings one here."""

from __future__ import annotations

from pathlib import Path
from socket import gaierror
from typing import TYPE_CHECKING, Final

from lessons.errors import EmbedderUnavailable

if TYPE_CHECKING:
    from collections.abc import Callable

    from huggingface_hub import DryRunFileInfo

E5: Final = "e5"
"""The kind of embedder whose models are downloaded."""

_WANTED: Final = ("*.json", "*.txt", "*.model", "*.safetensors")
_UNWANTED: Final = ("onnx/*", "openvino/*")
_MARK: Final = "modules.json"  # without it the library would guess how the model pools, and be silently wrong
_MB: Final = 1_000_000
_REASON: Final = 200  # characters of a library's own words


def folder_of(model: str) -> Path:
    """Return the folder of a model: one that is named, or the one in the hub's cache (HF_HOME). Asks no network.

    Raises EmbedderUnavailable within a second when it is not there as a whole.
    """
    if not model.strip():
        raise EmbedderUnavailable(E5, "no model is named")
    named = Path(model).expanduser()
    folder = named if named.is_dir() else _cached(model)
    if not (folder / _MARK).is_file():
        raise EmbedderUnavailable(E5, f"{model} is no sentence-transformers model: {_MARK} is missing")
    return folder


def fetch_model(model: str, progress: Callable[[str], None]) -> None:
    """Download a model into the hub's cache (HF_HOME), or complete it; what is there already stays. Blocks.

    Tells its progress in lines; on a terminal the library draws its bars besides. Raises EmbedderUnavailable.
    """
    try:
        from huggingface_hub import snapshot_download  # noqa: PLC0415 - heavy, and optional
    except ModuleNotFoundError as error:
        reason = "sentence-transformers is not installed (it comes with kizuki[e5])"
        raise EmbedderUnavailable(E5, reason) from error
    try:
        files = snapshot_download(model, allow_patterns=_WANTED, ignore_patterns=_UNWANTED, dry_run=True)
        missing = [file for file in files if file.will_download]
        progress(f"{model}: {len(files)} files, {_size(missing)} of {_size(files)} to fetch")
        for file in missing:
            progress(f"  {file.filename}, {_size([file])}")
        # at one go: only this leaves the list of files behind by which a broken download is known (see _cached)
        folder = snapshot_download(model, allow_patterns=_WANTED, ignore_patterns=_UNWANTED)
    except Exception as error:
        raise EmbedderUnavailable(E5, f"{model} could not be downloaded: {_why(error)}") from error
    folder_of(model)
    progress(f"{model} is here: {folder}")


def _size(files: list[DryRunFileInfo]) -> str:
    return f"{sum(file.file_size for file in files) / _MB:,.1f} MB"


def _cached(model: str) -> Path:
    from huggingface_hub import snapshot_download  # noqa: PLC0415 - heavy, and optional
    from huggingface_hub.errors import HFValidationError, IncompleteSnapshotError, LocalEntryNotFoundError  # noqa: PLC0415 - same

    try:
        found = snapshot_download(model, allow_patterns=_WANTED, ignore_patterns=_UNWANTED, local_files_only=True)
    except IncompleteSnapshotError as error:
        raise EmbedderUnavailable(
            E5, f"the download of {model} broke off; `kizuki fetch-model` completes it"
        ) from error
    except LocalEntryNotFoundError as error:
        raise EmbedderUnavailable(E5, f"{model} is not on this machine; `kizuki fetch-model` downloads it") from error
    except HFValidationError as error:
        shown = model if model.isprintable() else repr(model)
        raise EmbedderUnavailable(E5, f"{shown} is neither a folder nor the name of a model") from error
    return Path(found)


def _why(error: Exception) -> str:
    """Say in words what stood in the way, by the innermost error that is known."""
    from huggingface_hub import errors  # noqa: PLC0415 - heavy, and optional

    chain: list[BaseException] = [error]
    while (cause := chain[-1].__cause__ or chain[-1].__context__) is not None:
        chain.append(cause)
    known: tuple[tuple[type[Exception], str], ...] = (
        (errors.OfflineModeIsEnabled, "HF_HUB_OFFLINE is set"),
        (errors.GatedRepoError, "the hub asks for an account that may have it"),
        (errors.RepositoryNotFoundError, "the hub has no public model of that name"),
        (errors.HFValidationError, "that is no name of a model"),
    )
    for kind, words in known:
        if any(isinstance(link, kind) for link in chain):
            return words
    last = chain[-1]
    said = " ".join(f"{type(last).__name__}: {last}".split())[:_REASON]
    if isinstance(last, (ConnectionError, TimeoutError, gaierror)):
        return f"the hub cannot be reached ({said})"
    return f"the hub did not answer as it should ({said})"
