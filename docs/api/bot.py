"""A whole bot: it plays every game of its token's owner. Your strategy goes into `choose`."""

import os
import random
import time
import uuid

import requests

URL, TOKEN = os.environ["SECTORS_URL"] + "/api/v1/", "Bearer " + os.environ["SECTORS_TOKEN"]


def ask(method, path, body=None, **headers):
    headers |= {"Authorization": TOKEN, "Idempotency-Key": uuid.uuid4().hex}
    return requests.request(method, URL + path, json=body, headers=headers, timeout=70)


def fill(field):  # any value that an open field takes
    if field["type"] == "range":
        return random.randint(field["low"], field["high"])
    if field["type"] in {"choice", "cells"}:
        return random.choice([value for value, _ in field.get("values", [])] or [c["value"] for c in field["cells"]])
    return {"several": [], "records": [], "split": {}, "flag": False}[field["type"]]


def choose(offer):  # the action that an offer asks for
    action = {"kind": offer["kind"], **offer["fixed"]}
    for field in offer["fields"]:
        if field["when"] is None or action.get(field["when"]["name"]) in field["when"]["values"]:
            action[field["name"]] = fill(field)
    return action


def decide(game):  # try one offer after another, and then none: to be ready is always allowed
    asked = ask("GET", f"games/{game}/offers").json()
    ready = [{"kind": "ready"}] if asked["takes_ready"] else []
    allowed = [offer for offer in asked["offers"] if not offer["refused"]]
    for actions in [*([choose(offer)] for offer in random.sample(allowed, len(allowed))), []]:
        move = {"phase_serial": asked["phase_serial"], "step": asked["step"], "actions": actions + ready}
        if ask("POST", f"games/{game}/moves", move).status_code in {200, 409}:
            return  # taken, or the game has moved on meanwhile


seen = ""
while True:
    answer = ask("GET", "me/decisions", **{"If-None-Match": seen, "Prefer": "wait=50"})
    for waiting in answer.json()["items"] if answer.status_code == 200 else []:
        decide(waiting["game"])
    seen = answer.headers["ETag"] if answer.status_code == 200 else seen
    time.sleep(0 if answer.status_code == 200 or "Preference-Applied" in answer.headers else 5)
