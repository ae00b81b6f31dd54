"""Words of names that pass for the site, its staff, its bots, or a seat without a person: English and German, in lower
case. `accounts.names` says how they are matched."""

STAFF_STEMS = (
    *("admin", "moderator", "moderation", "moderador", "moderadora", "moderateur", "moderatrice", "amministra"),
    *("superuser", "mitarbeit", "betreiber", "hausmeister", "caretaker", "verwalt", "webmaster", "moderac"),
    *("moderazion", "sicherheitsteam", "sicherheitsdienst", "kundendienst", "helpdesk", "gamemaster", "postmaster"),
    *("spielleit", "seitenleit", "forenleit", "forumsleit", "turnierleit", "teamleit", "aufsicht", "betreuer"),
    *("betreuung", "moderierend", "redakteur", "redaktion", "kundenservice", "админ", "модератор"),
)
"""Refused anywhere in a word: only STEM_EXCEPTIONS contain them harmlessly."""
STEM_EXCEPTIONS = ("badminton",)
STAFF_WORDS = (
    *("administrator", "administration", "administrateur", "administratrice", "администратор", "staff", "official"),
    *("offiziell", "sectors"),
)
"""Refused as a word of a name, in any form and with any affixes."""
STAFF_TITLES = ("mod", "mods", "sysop", "sysops", "support", "security", "sicherheit")
"""Refused as a word of a name, with any affixes, in this form only: “Modin” and “Supporter Tim” are welcome."""
BOT_TITLES = ("bot", "bots", "hausbot", "zufallsbot", "robot", "roboter", "computer")
"""The same for people: only an account that is a bot may say so."""
SITE_NAMES = (
    *("system", "supports", "root", "bot", "bots", "bank", "you", "anybody", "everybody", "nobody", "everyone"),
    *("anonymous", "host", "hosts", "team", "jemand", "niemand", "alle", "anonym", "du", "free", "empty", "vacant"),
    *("vacancy", "unassigned", "someone", "noone", "frei", "leer", "unbesetzt"),
)
ROLE_NAMES = (
    *("helper", "operator", "owner", "vertretung", "stellvertreter", "helfer", "gastgeber", "leitung", "inhaber"),
    *("eigentümer", "hostmaster", "noreply", "substitute", "standin", "spectator", "vertreter", "zuschauer"),
    *("stellvertretung", "ersatz", "supporter", "hoster", "help", "hilfe", "hilfsteam", "referee", "schiedsrichter"),
    *("organiser", "organizer", "organisator", "developer", "entwickler", "communitymanager", "sitemanager"),
    *("tournamentdirector", "angestellt", "belegschaft", "allplayer", "player", "opponent", "visitor", "guestplayer"),
    *("spieler", "mitspieler", "gegner", "besucher", "gastspieler", "deleted", "resigned", "removed", "banned"),
    *("gelöscht", "aufgegeben", "entfernt", "gesperrt", "ehemalig", "abuse", "mailerdaemon", "trustandsafety"),
    *("trustsafety",),
)
"""Refused alone or with AFFIXES only; a role in any form."""
AFFIXES = (
    *("the", "der", "die", "das", "site", "web", "game", "spiel", "forum", "chat", "global", "super", "sys", "co"),
    *("vize", "chef", "ober", "haupt", "head", "chief", "lead", "senior", "junior", "neu", "new", "real", "echt"),
    *("true", "team", "crew", "member", "mitglied", "desk", "help", "hilfe", "service", "account", "konto", "bot"),
    *("of", "for", "message", "nachricht", "system", "server", "seite", "seiten", "foren", "spiele", "turnier"),
    *("tournament", "tech", "kunden", "customer"),
)
EMPTY_STATES = (
    *("free", "empty", "open", "vacant", "closed", "deleted", "former", "removed", "banned", "unknown", "missing"),
    *("frei", "leer", "offen", "unbesetzt", "geschlossen", "gelöscht", "ehemalig", "früher", "entfernt", "gesperrt"),
    *("unbekannt", "fehlend", "absent", "anonymous", "anonym", "abwesend", "available", "unassigned", "resigned"),
    *("computer", "robot", "ai", "no", "your", "verfügbar", "aufgegeben", "roboter", "ki", "kein", "dein", "ersatz"),
)
SEAT_NOUNS = (
    *("seat", "player", "account", "user", "member", "chair", "place", "spot", "opponent", "platz", "plätze", "sitz"),
    *("sitzplatz", "spieler", "konto", "konten", "benutzer", "nutzer", "mitglied", "person", "stuhl", "gegner"),
)
"""Refused together, as “Deleted account” or “Platz frei”: they pass for a seat without a person."""
OFFICES = (
    *("tech", "technical", "maintenance", "abuse", "trust", "safety", "privacy", "legal", "compliance", "billing"),
    *("payment", "fraud", "incident", "network", "mail", "data", "protection", "operation", "report", "complaint"),
    *("community", "it", "technik", "technisch", "wartung", "missbrauch", "vertrauen", "datenschutz", "recht"),
    *("abrechnung", "zahlung", "betrug", "vorfall", "netz", "netzwerk", "daten", "betrieb", "meldung", "melde"),
    *("beschwerde", "jugendschutz", "notfall", "security", "sicherheit", "account", "konto", "konten", "server"),
    *("system", "site", "seite", "kunden", "customer", "ops", "devops", "hosting", "finance", "finanz", "welcome"),
)
UNITS = (
    *("team", "crew", "support", "service", "desk", "department", "dept", "office", "officer", "center", "centre"),
    *("technik", "hotline", "group", "abteilung", "stelle", "dienst", "büro", "zentrale", "zentrum", "beauftragt"),
    *("gruppe",),
)
"""Refused together, as “Wartungsteam”: whatever office a site may have, and who is in it. Alone both are welcome."""
GUEST_NOUNS = ("guest", "gast", "gäst", "gaest")
