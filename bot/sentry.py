"""Reports of unexpected errors to Sentry, for hosts who want them.

Reports contain the kinds of exceptions with the files, functions and lines of their tracebacks, the
message of our log without its arguments, and the reference that the player was told. They never
contain the message of an exception, which may quote typed text, nor variables, arguments, requests,
breadcrumbs or the machine's name.
"""

import logging
from collections.abc import Iterable, Mapping
from typing import Any, Final, cast

import sentry_sdk
from sentry_sdk.transport import Transport
from sentry_sdk.types import Event, Hint
from sentry_sdk.utils import BadDsn, Dsn, event_from_exception

from bot.config import SettingsError
from bot.logs import IsFault, redacted

REFERENCE: Final = "reference"
"""The name under which a log record has the reference that the player was told."""

_FROM_LOG: Final = "from_log"
_OURS: Final = ("bot", "cogs", "engine")
_OF_EVENT: Final = ("event_id", "timestamp", "level", "platform", "logger", "release", "message")
_OF_EXCEPTION: Final = ("type", "module")
_OF_FRAME: Final = ("filename", "function", "module", "lineno", "in_app")


def require_dsn(dsn: str) -> None:
    try:
        Dsn(dsn)
    except BadDsn as error:
        raise SettingsError("SENTRY_DSN") from error


def report_errors(
    dsn: str,
    *,
    secrets: Iterable[str],
    is_nobodys_fault: IsFault,
    release: str,
    transport: type[Transport] | None = None,
) -> None:
    """From now on, report to Sentry what is logged as an error and has a traceback.

    Args:
        secrets: texts that reports may not contain.
        is_nobodys_fault: returns true for errors that are not reported.
    """
    require_dsn(dsn)
    known = tuple(secrets)

    def before_send(event: Event, hint: Hint) -> Event | None:
        if not hint.get(_FROM_LOG):
            return None
        return cast("Event", _redacted(_allowed(cast("Mapping[str, Any]", event)), known))

    sentry_sdk.init(
        dsn,
        transport=transport,
        release=release,
        server_name="",
        before_send=before_send,
        before_send_transaction=_nothing,
        before_breadcrumb=_nothing,
        max_breadcrumbs=0,
        default_integrations=False,
        auto_enabling_integrations=False,
        auto_session_tracking=False,
        include_local_variables=False,
        include_source_context=False,
        send_client_reports=False,
        max_request_body_size="never",
        traces_sample_rate=None,
        trace_propagation_targets=[],
    )
    logging.getLogger().addHandler(_Reporting(is_nobodys_fault))


class _Reporting(logging.Handler):
    """A log handler that sends logged exceptions to Sentry, unless they are nobody's fault."""

    def __init__(self, is_nobodys_fault: IsFault) -> None:
        super().__init__(logging.ERROR)
        self._is_nobodys_fault = is_nobodys_fault

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        if error is None or self._is_nobodys_fault(error):
            return
        event, hint = event_from_exception(error)
        event["logger"] = record.name
        # Our messages without their arguments; a library's message may contain data.
        if record.name.partition(".")[0] in _OURS:
            event["message"] = str(record.msg)
        if reference := getattr(record, REFERENCE, ""):
            event["tags"] = {REFERENCE: reference}
        sentry_sdk.capture_event(event, {**hint, _FROM_LOG: True})


def _nothing(_event: Any, _hint: Any) -> None:
    """Drop a transaction or a breadcrumb, which Sentry's library would otherwise report."""


def _allowed(event: Mapping[str, Any]) -> dict[str, Any]:
    """Copy the parts of an event that a report may contain."""
    found = _some(event, _OF_EVENT)
    values: list[dict[str, Any]] = []
    for thrown in cast("Mapping[str, Any]", event.get("exception") or {}).get("values") or ():
        trace: Mapping[str, Any] = thrown.get("stacktrace") or {}
        frames = [_some(frame, _OF_FRAME) for frame in trace.get("frames") or ()]
        values.append({**_some(thrown, _OF_EXCEPTION), "stacktrace": {"frames": frames}})
    found["exception"] = {"values": values}
    if reference := cast("Mapping[str, Any]", event.get("tags") or {}).get(REFERENCE):
        found["tags"] = {REFERENCE: reference}
    return found


def _some(values: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    return {name: values[name] for name in names if name in values}


def _redacted(value: Any, secrets: Iterable[str]) -> Any:
    if isinstance(value, str):
        return redacted(value, secrets)
    if isinstance(value, dict):
        found = cast("dict[str, Any]", value)
        return {key: _redacted(each, secrets) for key, each in found.items()}
    if isinstance(value, list):
        return [_redacted(each, secrets) for each in cast("list[Any]", value)]
    return value
