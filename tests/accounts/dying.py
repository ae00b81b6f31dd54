"""A process that ends while it sends an email."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest


class Stopped(BaseException):
    """The process ends here: nothing after it runs, no clean-up of ours either."""


@contextmanager
def ended_while_sending(*, is_taken: bool) -> Iterator[None]:
    """What runs inside sends an email and ends, before or after the mail server has taken it."""
    from accounts.mail_server import EmailBackend  # here: the settings of the fixtures come first

    send = EmailBackend.send_messages

    def end(self: Any, messages: Any) -> int:
        if is_taken:
            send(self, messages)
        raise Stopped

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(EmailBackend, "send_messages", end)
        with pytest.raises(Stopped):
            yield
