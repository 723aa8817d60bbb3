"""Webhooks: what waits in the outbox is sent to the shop's own system.

Signed and tried again as the Standard Webhooks specification says (github.com/standard-webhooks/standard-webhooks).
"""

import asyncio
import json
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing, suppress
from datetime import timedelta
from random import SystemRandom
from typing import Any

import httpx
from sqlalchemy.exc import SQLAlchemyError
from standardwebhooks.webhooks import Webhook

from app.settings import Settings, WebhookSettings
from app.storage.databases import open_records
from app.storage.outbox import Delivery, Outbox, new_id, payload_of
from graph.parts import Clock

logger = logging.getLogger(__name__)

TIMEOUT_S = 10.0
GONE = 410
"""The status of a receiver that wants to hear no more."""
PAUSES = (
    timedelta(seconds=5),
    timedelta(minutes=5),
    timedelta(minutes=30),
    timedelta(hours=2),
    timedelta(hours=5),
    timedelta(hours=10),
    timedelta(hours=14),
)
"""Between attempts, as the specification suggests; 31 hours and a half in all."""
JITTER = 0.2
"""The share by which a pause is prolonged at most, so that what failed at once is not tried again at once."""
LOOK_S = 5.0
"""How often the outbox is looked into."""


class UntakenError(Exception):
    """A receiver did not take an event; the message says why in a few words, without address or secret.

    Attributes:
        gone: Whether it wants to hear no more of it.
    """

    def __init__(self, reason: str, *, gone: bool = False) -> None:
        super().__init__(reason)
        self.gone = gone


class Receiver:
    """The shop's own system.

    Args:
        client: Speaks HTTP.
        options: Where it listens, and what it knows us by.
        clock: What "now" is.
    """

    def __init__(self, client: httpx.AsyncClient, options: WebhookSettings, clock: Clock) -> None:
        assert options.url is not None, "a receiver has an address"
        assert options.secret is not None, "settings want a secret with it"
        self._client, self._url, self._clock = client, str(options.url), clock
        self._signer = Webhook(options.secret.get_secret_value())

    async def tell(self, event_id: str, payload: dict[str, Any]) -> int:
        """Send an event.

        Returns:
            The status with which it was taken.

        Raises:
            UntakenError: It was not.
        """
        now = self._clock.now()
        body = json.dumps(payload, separators=(",", ":"))
        headers = {
            "content-type": "application/json",
            "webhook-id": event_id,
            "webhook-timestamp": str(int(now.timestamp())),
            "webhook-signature": self._signer.sign(event_id, now, body),
        }
        request = self._client.stream("POST", self._url, content=body, headers=headers)
        try:
            async with asyncio.timeout(TIMEOUT_S), request as response:
                status = response.status_code
        except TimeoutError:
            reason = f"no answer within {TIMEOUT_S:g} s"
            raise UntakenError(reason) from None
        except httpx.HTTPError as error:
            reason = "no connection" if isinstance(error, httpx.ConnectError) else "the connection broke"
            raise UntakenError(reason) from None
        if not response.is_success:
            reason = f"status {status}"
            raise UntakenError(reason, gone=status == GONE)
        return status


@asynccontextmanager
async def open_receiver(options: WebhookSettings, clock: Clock) -> AsyncIterator[Receiver]:
    """The receiver that settings name, which must name one."""
    # The request as a whole has a limit; limits on its parts could not keep it.
    async with httpx.AsyncClient(timeout=None, follow_redirects=False) as client:  # noqa: S113 - see above
        yield Receiver(client, options, clock)


class Sender:
    """Sends what waits, one event after the other.

    Args:
        outbox: Where it waits.
        receiver: Who is told.
    """

    def __init__(self, outbox: Outbox, receiver: Receiver) -> None:
        self._outbox, self._receiver = outbox, receiver

    async def send_due(self) -> None:
        """Send all that is due and that no other process sends."""
        while (delivery := await asyncio.to_thread(self._outbox.claim)) is not None:
            try:
                await self._receiver.tell(delivery.id, delivery.payload)
            except UntakenError as error:
                pause = None if error.gone else pause_after(delivery.attempts)
                _warn(delivery, str(error), pause)
                await asyncio.to_thread(self._outbox.failed, delivery, str(error), pause)
            else:
                await asyncio.to_thread(self._outbox.delivered, delivery)


def pause_after(attempts: int) -> timedelta | None:
    """How long to wait after so many attempts that failed; None where that is enough of them."""
    if attempts > len(PAUSES):
        return None
    return PAUSES[attempts - 1] * (1 + SystemRandom().uniform(0, JITTER))


def _warn(delivery: Delivery, failure: str, pause: timedelta | None) -> None:
    then = "given up" if pause is None else f"tried again in {pause.total_seconds():.0f} s"
    logger.warning(
        "The webhook %s (%s) failed, attempt %d: %s; %s", delivery.event, delivery.id, delivery.attempts, failure, then
    )


@asynccontextmanager
async def sending(settings: Settings, clock: Clock) -> AsyncIterator[None]:
    """Tell the shop's own system what happens, as long as this is open; where settings name none, do nothing.

    Raises:
        UnwritableRecordsError: The records cannot be opened.
    """
    if settings.webhooks.url is None:
        yield
        return
    with closing(open_records(settings.records)) as store:
        async with open_receiver(settings.webhooks, clock) as receiver:
            task = asyncio.create_task(_send_always(Sender(Outbox(store, clock), receiver)))
            try:
                yield
            finally:
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task


async def _send_always(sender: Sender) -> None:
    while True:
        try:
            await sender.send_due()
        except SQLAlchemyError as error:
            logger.warning("The outbox of webhooks cannot be used now: %s", error)
        await asyncio.sleep(LOOK_S)


async def send_test(options: WebhookSettings, clock: Clock) -> int:
    """Send an event that tells nothing but that it was sent; the status with which it was taken.

    Raises:
        UntakenError: It was not.
    """
    async with open_receiver(options, clock) as receiver:
        return await receiver.tell(new_id(), payload_of("webhook.test", clock.now(), {}))
