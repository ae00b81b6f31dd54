"""The game application."""

from collections.abc import Iterable
from typing import Any

from django.apps import AppConfig, apps
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.signals import user_logged_in, user_logged_out
from django.db.models.signals import post_migrate, post_save, pre_migrate
from django.utils.translation import gettext

from sectors_site.environment import load_object


class GameConfig(AppConfig):
    """Games, seats and the rules they are played by."""

    name = "game"
    verbose_name = "Games and moderation"

    def ready(self) -> None:
        """Accounts do not know the game: the game listens to their sign-ins, and reserves the names that it gives."""
        register_rulesets(settings.EXTRA_RULESETS)
        _learn_languages()
        from accounts.names import reserve
        from game.people.site_names import site_names

        reserve(site_names)
        pre_migrate.connect(_lift_guard, sender=self, dispatch_uid="lift_guard")
        # Its permissions are there when those of auth, which comes later, are made.
        post_migrate.connect(_set_up_desk, sender=apps.get_app_config("auth"), dispatch_uid="set_up_desk")
        user_logged_in.connect(_begin_demo, dispatch_uid="begin_demo")
        user_logged_in.connect(_note_visit, dispatch_uid="note_visit")
        user_logged_out.connect(_stop_browser, dispatch_uid="stop_browser")
        post_save.connect(_notify_of_bounce, sender="accounts.Bounce", dispatch_uid="notify_of_bounce")
        from allauth.account.signals import email_changed, email_confirmed, password_reset

        email_confirmed.connect(_go_on_with_decisions, dispatch_uid="go_on_with_decisions")
        email_confirmed.connect(_refuse_address, dispatch_uid="refuse_address")
        email_confirmed.connect(_requeue_at_confirmed_address, dispatch_uid="requeue_at_confirmed_address")
        email_changed.connect(_requeue_at_new_address, dispatch_uid="requeue_at_new_address")
        from accounts.security import other_sessions_ended

        for signal in (password_reset, other_sessions_ended):
            signal.connect(_stop_browsers, dispatch_uid="stop_browsers")
        from accounts.guests import guest_merged, locking

        guest_merged.connect(_take_over, dispatch_uid="take_over")
        locking.connect(_lock_games, dispatch_uid="lock_games")
        from accounts.time_zones import zone_changed, zone_changing

        zone_changing.connect(_begin_moving, dispatch_uid="begin_moving")
        zone_changed.connect(_follow_zone, dispatch_uid="follow_zone")
        _let_the_desk_hear()


def _let_the_desk_hear() -> None:
    """Connect the moderators' services to events in lower rooms."""
    from game.chat import reading
    from game.moderation import case_filing, emails
    from game.play import door, failures

    failures.on_broken.add(case_filing.open_for_rule_error)
    door.on_hold.add(emails.email_hold)
    door.on_hold.add(case_filing.open_for_hold)
    reading.on_report.add(case_filing.open_for_report)


def _lift_guard(**_: Any) -> None:
    from game.moderation import name_erasure

    name_erasure.remove_trigger()


def _set_up_desk(**_: Any) -> None:
    """Set up the roles of the staff and the trigger that protects their record."""
    from game.moderation import name_erasure, roles

    if name_erasure.has_record_table():
        name_erasure.install_trigger()
        roles.write_groups()


def _notify_of_bounce(*, instance: Any, created: bool, **_: Any) -> None:
    """Notify the owner and open a case at the desk."""
    from game.delivery import bounces
    from game.moderation import case_filing

    if created:
        bounces.notify_owner(instance)
        case_filing.open_for_bounce(address=instance.address, why=instance.get_why_display())


def register_rulesets(places: Iterable[str]) -> None:
    """Add rulesets that are not shipped, each named as "module:NAME", to those that this site plays."""
    from game.engine.ruleset import Ruleset
    from game.rulesets.registry import RULESETS

    for place in places:
        rules = load_object("EXTRA_RULESETS", place, lambda thing: isinstance(thing, Ruleset), "your.module:NAME")
        RULESETS[rules.key] = rules


def _learn_languages() -> None:
    """Let the rules and boards use the language of the page or email."""
    from accounts.languages import listeners
    from game.i18n import in_words

    listeners.append(in_words)


def _take_over(*, guest: Any, user: Any, **_: Any) -> None:
    from game.lobby.guests import take_over

    take_over(guest=guest, user=user)


def _lock_games(*, guest_ids: Any, **_: Any) -> None:
    from game.lobby.guests import lock_games_of_guests

    lock_games_of_guests(guest_ids)


def _begin_moving(*, user: Any, **_: Any) -> None:
    from game.clock.play_times import begin_moving

    begin_moving(user=user)


def _follow_zone(*, user: Any, **_: Any) -> None:
    """Recompute what depends on a user's time zone: hours of play, which deadlines count, and the hours for
    messages."""
    from game.clock.play_times import follow_zone
    from game.outbox.status_notices import reschedule

    follow_zone(user=user)
    reschedule(user=user)


def _begin_demo(*, user: Any, **_: Any) -> None:
    from game.lobby.guests import begin_demo

    begin_demo(player=user)


def _go_on_with_decisions(*, email_address: Any, **_: Any) -> None:
    """Apply a decision about a person who deleted the account to the next account with the address."""
    from game.moderation.sanctions import apply_stored

    apply_stored(user=email_address.user, address=email_address.email)


def _refuse_address(*, email_address: Any, **_: Any) -> None:
    """Refuse further addresses of banned users: a banned person cannot sign up with an address that they confirm during
    the ban."""
    from game.reputation.bans import update_blocked_addresses

    update_blocked_addresses(email_address.user)


def _requeue_at_confirmed_address(*, email_address: Any, **_: Any) -> None:
    from game.outbox.status_notices import requeue_open_questions

    requeue_open_questions(user_id=email_address.user_id)


def _requeue_at_new_address(*, user: Any, from_email_address: Any, **_: Any) -> None:
    """Requeue notices: those to an address that bounced were never read."""
    from accounts.models import Bounce
    from game.outbox.status_notices import requeue_open_questions

    before = from_email_address.email.lower() if from_email_address else ""
    came_back = Bounce.objects.filter(address=before, why=Bounce.Why.UNKNOWN).exists()
    requeue_open_questions(user_id=user.pk, came_back=came_back)


def _stop_browsers(*, request: Any, user: Any, **_: Any) -> None:
    """Stop all push subscriptions: an intruder may have allowed a browser of their own."""
    from game.outbox.push_subscriptions import forget_all

    if forget_all(user=user) and request is not None:
        messages.info(
            request, gettext("Browsers no longer show you notifications. You can allow yours again at any time.")
        )


def _stop_browser(*, request: Any, user: Any, **_: Any) -> None:
    """Stop push to the browser in which the user signs out."""
    from game.outbox.push_subscriptions import forget_session

    if request is not None and user is not None and user.pk:
        forget_session(user=user, session=request.session.session_key or "")


def _note_visit(*, user: Any, request: Any = None, **_: Any) -> None:
    from accounts.sign_ins import address_of, known_accounts
    from game.moderation.multi_accounts import note_visit

    if request is not None:
        note_visit(user=user, address=address_of(request), others_here=known_accounts(request))
