"""A whole bot: it plays every game of its token's owner. Your strategy goes into `choose`."""

import os
import random
import time

import requests

URL, TOKEN = os.environ["SECTORS_URL"] + "/api/v1/", "Bearer " + os.environ["SECTORS_TOKEN"]


def ask(method, path, body=None, **headers):
    headers |= {"Authorization": TOKEN, "Idempotency-Key": random.randbytes(16).hex()}
    while True:
        answer = requests.request(method, URL + path, json=body, headers=headers, timeout=70)
        if "Retry-After" not in answer.headers:
            return answer
        time.sleep(int(answer.headers["Retry-After"]))  # too many requests, or the site is busy


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


def decide(game):  # try one offer after another, and then none, until one is taken or the game has moved on
    asked = ask("GET", f"games/{game}/offers").json()
    ready = [{"kind": "ready"}] if asked.get("takes_ready") else []
    allowed = [offer for offer in asked.get("offers", []) if not offer["refused"]]
    tries = [*([choose(offer)] for offer in random.sample(allowed, len(allowed))), *([[]] if ready else [])]
    moves = [{"phase_serial": asked["phase_serial"], "step": asked["step"], "actions": each + ready} for each in tries]
    return any(ask("POST", f"games/{game}/moves", move).status_code in {200, 409} for move in moves)


seen = ""
while True:
    answer = ask("GET", "me/decisions", **{"If-None-Match": seen, "Prefer": "wait=50"})
    if answer.status_code == 200:
        done = [decide(waiting["game"]) for waiting in answer.json()["items"]]
        seen = answer.headers["ETag"] if all(done) else ""  # what was not taken is tried again
    elif "Preference-Applied" not in answer.headers:
        time.sleep(5)
