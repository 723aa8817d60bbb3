"""`footnote webhook`: try the shop's receiver, and see what it did not take."""

import asyncio
from contextlib import closing

from app.cli.console import out
from app.errors import AppError, SettingsError


def test() -> None:
    """Send a signed event `webhook.test` to the receiver that settings name, and say what it answers."""
    from app.settings import Settings  # noqa: PLC0415 - heavy, with the next
    from app.storage.records import SystemClock  # noqa: PLC0415
    from app.webhooks import UntakenError, send_test  # noqa: PLC0415

    options = Settings.load().webhooks
    if options.url is None:
        message = "No receiver is named. Set FOOTNOTE_WEBHOOKS__URL and FOOTNOTE_WEBHOOKS__SECRET."
        raise SettingsError(message)
    try:
        status = asyncio.run(send_test(options, SystemClock()))
    except UntakenError as error:
        message = f"{options.url} did not take the event: {error}. It must answer with a status from 200 to 299."
        raise AppError(message) from error
    out().print(f"{options.url} took the event: status {status}")


def failed() -> None:
    """List the events that the receiver has not taken, why, and when they are tried again."""
    from app.settings import Settings  # noqa: PLC0415 - heavy, with the next
    from app.storage.databases import open_records  # noqa: PLC0415
    from app.storage.outbox import Outbox  # noqa: PLC0415
    from app.storage.records import SystemClock  # noqa: PLC0415

    settings = Settings.load()
    failures = []
    if settings.records.exists():
        with closing(open_records(settings.records)) as store:
            failures = Outbox(store, SystemClock()).failures()
    for one in failures:
        then = "given up" if one.again_at is None else f"again at {one.again_at:%Y-%m-%d %H:%M:%S}"
        times = "once" if one.attempts == 1 else f"{one.attempts} times"
        made = f"{one.made_at:%Y-%m-%d %H:%M:%S} UTC"
        out().print(f"{made}  {one.event}  {one.id}: {one.failure}, tried {times}, {then}", soft_wrap=True)
    if not failures:
        out().print("The receiver took all that was sent.")
