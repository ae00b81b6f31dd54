"""Names: what people may be called, so that nobody sits at a table under a name that passes for another's."""

import pytest
from allauth.core.context import request_context
from django.db import IntegrityError, transaction
from django.test import Client, RequestFactory
from django.urls import reverse

from accounts.forms import SignUpForm
from accounts.models import User
from accounts.names import is_reserved, skeleton_of
from game.engine.actions import Refused
from game.people import identity
from game.people.identity import Identity
from game.people.site_names import site_names
from game.store.readers import BOT_NAMES
from tests.scenes import moderator, person
from tests.servers import ROOT

pytestmark = [pytest.mark.django_db]

ADA_IN_CHEROKEE = "\u13aa\u13a0\u13aa"


def filled_in(name: str) -> dict[str, str]:
    return {"username": name, "email": "grace@example.org", "password1": "correct horse battery"}


def refusal_of(name: str) -> str:
    """What the sign-up form says; empty where it takes the name."""
    with request_context(RequestFactory().post(reverse("account_signup"))):
        errors = SignUpForm(filled_in(name)).errors
    return " ".join(errors.get("username", ["?"])) if errors else ""


@pytest.mark.parametrize("name", ["Moderator", "Ad\u0430", "Adm\u200bin", "evil.com", "ADA"])
def test_the_page_says_what_the_form_says_and_makes_no_account(name: str) -> None:
    User.objects.create_user("Ada")
    answer = Client().post(reverse("account_signup"), filled_in(name))
    assert answer.status_code == 200
    assert " ".join(answer.context["form"].errors["username"]) == refusal_of(name) != ""
    assert not User.objects.filter(email="grace@example.org").exists()


@pytest.mark.parametrize("name", ["Zoë", "花子"])
def test_the_page_makes_an_account_of_a_welcome_name(name: str) -> None:
    assert Client().post(reverse("account_signup"), filled_in(name)).status_code == 302
    assert User.objects.get(email="grace@example.org").username == name


@pytest.mark.parametrize(
    "hidden", ["\u3164", "\u115f", "\u1160", "\uffa0", "\u200b", "\u200d", "\u2060", "\u00ad", "\u034f", "\u2800"]
)
def test_a_name_with_an_invisible_letter_is_refused(hidden: str) -> None:
    User.objects.create_user("Ada")
    for name in (f"Ada{hidden}", f"A{hidden}da", f"{hidden}Ada", hidden * 3):
        assert refusal_of(name), ascii(name)


@pytest.mark.parametrize("name", ["", "   ", "\u00a0\u00a0", "\u3000", "__", "_Ada", "Ada_", "A  da", "..", "'Ada'"])
def test_a_blank_name_is_refused(name: str) -> None:
    assert refusal_of(name)


@pytest.mark.parametrize("name", ["Ａｄａ", "𝐀𝐝𝐚", "Ⓐda", "Adª", "Ada²", "ﬁona", "Ⅻ", "ᴀᴅᴀ", "ﾊﾅｺ"])
def test_a_full_width_or_ornamental_name_is_refused(name: str) -> None:
    assert refusal_of(name)


@pytest.mark.parametrize("name", ["\u13aada", "Ad\u0430", "\u0391da", "Ada\u0585", "Ada\u02bc", "\u05d0da", "Адa"])
def test_a_name_of_several_alphabets_is_refused(name: str) -> None:
    assert "one alphabet" in refusal_of(name)


@pytest.mark.parametrize("name", [ADA_IN_CHEROKEE, "ADA"])
def test_a_name_that_looks_like_an_account_s_is_refused(name: str) -> None:
    User.objects.create_user("Ada")
    assert refusal_of(name)


@pytest.mark.parametrize(
    ("name", "alike"),
    [("Bill", "BiII"), ("Bob", "B0b"), ("Bernard", "Bemard"), ("Ada 1", "Ada l"), ("Саса", "Caca"), ("Al", "AI")],
)
def test_names_that_look_alike_are_one(name: str, alike: str) -> None:
    User.objects.create_user(name)
    assert "looks like" in refusal_of(alike)
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.create_user(alike)


OF_THE_SITE = [
    "admin",
    "Admin",
    "ADM1N",
    "Admin 2",
    "a.d-m i'n",
    "Moderator",
    "The Moderator",
    "Sectors",
    "system",
    "Support",
    "Seat 3",
    "Demo",
    *("Admins", "Moderators", "Mods", "The Bots", "Guests"),
    *("Àdmin", "Moderatör", "Møderator", "Stáff", "Süpport"),
    *("Moderatorin", "Administratoren", "Mitarbeiterinnen", "Spielleitung", "Betreiber", "Hausmeister", "Helfer"),
    *("SiteAdmin", "Adminteam", "Mod Team", "Co-Moderator", "Chefmoderator", "Sectors Support", "SysAdmin 2"),
    *("4dmin", "5taff", "St4ff", "m0d3rat0r"),
    *("Caretaker", "Caretaker 2", "Die Vertretung", "Platz 3", "Admin99Team", "adm1n2", "Mod3", "Модератор"),
    *("Gast", "Gast 12", "Gast12", "Gast IO", "Gäste", "Guest 4821", "Guest IO", "Niemand", "Abácus"),
    *("Caretakers", "Operators", "Hosts", "Helferin", "Gastgeberin", "Gast Nr 4", "Guest No 4", "Seat No. 3"),
    *("Systemadmin", "Systemadministrator", "Seitenadministrator", "Serveradmin", "Administrador", "xAdminx"),
    *("Forenmoderator", "Turniermoderator", "Seitenleitung", "Turnierhelferin", "Kundensupport", "Badminton Admin"),
    *("Moderación", "Moderazione", "Spielverwalter", "Turnierverwaltung", "Sicherheitsteam", "Kundendienst"),
    *("Forumsleiter", "Forumsleitung", "Kundenservice", "Supports", "Supporter", "Hoster", "Sysop", "Redaktion"),
    *("Game Master", "Help Desk", "Gästin 12", "Gaeste 3"),
    *("Der Gast 12", "Gast12a", "Tim Guest 7", "Everyone", "Former player"),
    *("Owner", "Site Owner", "Owners", "Inhaberin", "Eigentümer", "Stellvertreter", "Hostmaster", "No-Reply"),
    *("Mitarbeitende", "Moderierende", "Staffmember", "Staffers", "Teammitglied", "Teamleiterin", "Spielaufsicht"),
    *("Kundenbetreuung", "Betreuerin", "Redakteurin", "Verwaltende"),
    *("Mod Anna", "Anna Mod", "ModAnna", "AnnaStaff", "Support Lena", "Security Lena", "LenaSectors"),
    *("House Bot", "Sharp bot", "sharpbot", "Bot Steady", "Ada Bot", "AdaBot", "Bot of Ada", "Flintbot"),
    *("Free seat", "FreeSeat", "Free Seats", "Freier Platz", "Empty seat", "Seat 99", "Player", "Spieler 2"),
    *("Deleted account", "Gelöschtes Konto", "Deleted User 3", "Ehemaliger Spieler", "Früherer Spieler"),
    *("Removed player", "Entfernter Spieler", "Unknown Player", "Anonymous Player", "Bank 2", "Outside"),
    *("Hausbot", "Haus-Bot 2", "Zufallsbot", "Computer", "Computergegner", "KI-Spieler", "AI player", "Robot"),
    *("A free seat", "Ein freier Platz", "Platz frei", "Seat free", "Free place", "Vacant", "Unbesetzt", "Frei"),
    *(
        "Ein Gast",
        "The Guest",
        "Guest player 3",
        "Gastspieler 12",
        "Visitor 3",
        "Besucherin 4",
        "Players",
        "Spielerin",
    ),
    *("Mitspieler 2", "Opponent 2", "Gegner", "Resigned", "Gelöscht", "Ehemaliger", "Stellvertretung", "Ersatz"),
    *("Supporterin", "Supporterinnen", "Hilfsteam", "Community-Manager", "Site Manager", "Tournament Director"),
    *("Schiedsrichterin", "Referee", "Organisatorinnen", "Organizers", "Entwickler", "Developers", "Hilfe"),
    *("Angestellter", "Belegschaft", "All players", "Alle Spieler"),
    *("System Message", "Systemnachricht", "Sectors Nachrichten"),
    *("No player", "Kein Spieler", "Your seat", "Ersatzspieler", "Stand-in", "Substitute", "Zuschauerin"),
]


def test_a_name_of_the_site_is_refused() -> None:
    assert [name for name in OF_THE_SITE if "reserved" not in refusal_of(name)] == []


OFFICES = """
Technik Team, Techniksupport, Wartungsteam, Abuse, Abuse Team, The Abuse Team, Mailer-Daemon, Trust and Safety,
TechTeam, Trust and Safety Team, Safety Team, Security Team, IT-Team, IT-Support, Tech Support,
Technical Support, Billing Support, Datenschutzteam, Datenschutzbeauftragte,
Abrechnungsstelle, Beschwerdestelle, Meldestelle, Payment Service, Legal Team,
Zahlungsdienst, Netzwerkteam, Betriebsteam,
Maintenance Crew, Fraud Department, Privacy Officer, Data Protection Office,
Rechtsabteilung, Technische Abteilung, Das Technikteam, Sicherheitsabteilung, Kontenservice, Missbrauchsstelle,
Team Technik, Team IT, Ops Team, Hosting Team, Finance Team, Welcome Team, Netzwerk Technik
"""
COUNTED = """
Gast Zwölf, Gast XII, Guest A, Guest Twelve, Gast Einundzwanzig, Guest Twenty-One, Gästin C, Der Gast Zwölf,
Gast Nr. XII, Guest Number Twelve, Ein Gast B, Spieler Zwei, Seat Two, Platz Drei, Sitz IV, Player One,
User Two, Account B,
GastXII, GuestTwelve, Playertwo, gastzwölf, XII Gast, Zwölf Gast, Twelfth Guest, Zwölfter Gast, Der zwölfte Gast,
The 12th Guest, Guest the Twelfth, Second Seat, Zweiter Platz, Erster Gast, SpielerII, Gast IIX, Guest VIIII,
Gast Dutzend, Guest Dozen, Guest Nil, Gast 一二, Guest A1, Guest Twenty6, Zwei Gäste, Gast Forty Second,
Visitor XII, Besucher Zwölf, Mitspieler Drei, Anonymous Two, Deleted Two, Flint II, Abacus Two, FlintTwo
"""


@pytest.mark.parametrize("names", [OFFICES, COUNTED])
def test_an_office_of_the_site_and_a_guest_or_a_seat_with_any_number_are_refused(names: str) -> None:
    assert [name for name in " ".join(names.split()).split(", ") if not is_reserved(name)] == []


def test_hundreds_of_ordinary_names_are_welcome() -> None:
    """First names, surnames and nicknames in English and German, many of which contain words of refused names."""
    names = (ROOT / "tests/data/ordinary_names.txt").read_text(encoding="utf-8").splitlines()
    assert len(names) > 400
    assert [name for name in names if is_reserved(name)] == []


def test_nobody_is_called_what_the_site_prints_for_a_seat() -> None:
    """Whatever a translator writes, and whatever level of bots a game has."""
    printed = {*site_names()}
    assert {"Free seat", "Freier Platz", "Former player", "Ehemaliger Spieler", "Gastgeber", "bank"} <= printed
    assert {"house bot", "Sharp bot", "Bot: Gewieft", "Seat", "Platz", "Flint bot"} <= printed
    assert [name for name in printed if not is_reserved(name)] == []
    assert [name for name in printed if not is_reserved(f"{name} 2".title())] == []


def test_a_bot_may_say_that_it_is_one() -> None:
    """Its owner's name stands beside it."""
    assert not is_reserved("Ada Bot", is_bot=True)
    assert is_reserved("House Bot", is_bot=True), "but not the site's"


def test_a_bot_s_name_is_refused() -> None:
    assert [name for name in (*BOT_NAMES, "abacus", "Fl1nt") if "reserved" not in refusal_of(name)] == []


OF_PEOPLE = [
    "Ada L",
    "Zoë",
    "O'Neil",
    "Jean-Luc",
    "Ada.99",
    "Юля",
    "Ελένη",
    "林木",
    "花子",
    "ジョー",
    "Jun 林",
    "김민준",
    "ليلى",
    "דנה",
    "Moderna",
    "İpek",
    *("Badminton", "Falstaff", "Stafford", "Staffan", "Banks", "Modin", "Modi", "Modern Tim", "Peter Gast"),
    *("Gasto", "Hostess", "Boten", "J.R. Tolkien", "Du Pont", "Sector", "Teamwork"),
    *("Badmintonfan", "Brad Minton", "Vlad Minh", "Wagstaff", "Felix Leiter", "Allen", "Hoste", "Moderato"),
    *("Botond", "Talbot", "Abbott Free", "Anna Platz", "Freeman", "Freitag", "Open Mike", "Frank Leer", "Abbot"),
    *(
        "Gastein",
        "Max Second",
        "Elf",
        "Alfred Zweig",
        "Six Feet",
        "Ada the First",
        "MC Frei",
        "Peter Gast II",
        "Lili Gast",
        "Du C",
        "M Frei",
    ),
    *("Smooth Operator", "Bruno 4", "Nolan", "Gaston", "Arno 7", "Mode", "Supporter Tim", "Gastino", "Master"),
]


def test_a_name_that_people_bear_is_welcome() -> None:
    User.objects.create_user("Ada")
    assert [(name, why) for name in OF_PEOPLE if (why := refusal_of(name))] == []


@pytest.mark.parametrize(
    "name", ["evil.com", "Ada of evil.com", "a.b.co.uk", "зло.рф", "evil.xn--p1ai", "192.0.2.1", "St.Pierre"]
)
def test_a_name_that_mail_readers_make_a_link_is_refused(name: str) -> None:
    assert "looks like a link" in refusal_of(name)


def test_staff_cannot_give_a_name_that_passes_for_another() -> None:
    User.objects.create_user("Ada")
    bob, lena = person("Bob"), moderator("Lena", "change_identity")

    def rename(name: str) -> None:
        seen = identity.identity_of(User.objects.get(pk=bob.pk))
        wanted = Identity(name, seen.email)
        identity.change_identity(user_id=bob.pk, moderator=lena, reason="He asked for it.", seen=seen, wanted=wanted)

    for name, why in (
        (ADA_IN_CHEROKEE, "looks like"),
        ("Moderator", "reserved"),
        ("Ada\u3164", "cannot be seen"),
        ("Abacus", "reserved"),
        ("evil.com", "looks like a link"),
    ):
        with pytest.raises(Refused, match=why):
            rename(name)
    rename("Robert")
    assert User.objects.get(pk=bob.pk).skeleton == skeleton_of("Robert")


def test_a_new_name_takes_its_look_along() -> None:
    bob = User.objects.create_user("Bob")
    bob.username = "Robert"
    bob.save(update_fields=["username"])
    assert User.objects.get(pk=bob.pk).skeleton == skeleton_of("Robert")
    assert refusal_of("B0b") == "", "the old name is free again"
