"""Drives the OpenFeature SDK with its OFREP provider: reads commands as lines of JSON, and answers each with a line."""

import json
import sys

from openfeature import api
from openfeature.contrib.provider.ofrep import OFREPProvider
from openfeature.evaluation_context import EvaluationContext
from openfeature.exception import ErrorCode

clients = {}
# reader that knew the type of each flag
found = {}


def start(command):
    """Registers a provider for one client."""
    token = command["token"]
    # a busy machine answers late
    provider = OFREPProvider(
        command["url"], headers_factory=lambda: {"Authorization": f"Bearer {token}"}, timeout=30
    )
    api.set_provider(provider, domain=command["client"])
    clients[command["client"]] = api.get_client(command["client"])
    return {}


def to_context(given):
    fields = {name: value for name, value in given.items() if name not in ("userId", "properties")}
    return EvaluationContext(given.get("userId"), {**given.get("properties", {}), **fields})


def evaluate(client, flag, context):
    """Evaluates a flag as the type that it has. The type of a flag never depends on the context."""
    readers = (
        (client.get_boolean_details, False),
        (client.get_string_details, ""),
        (client.get_float_details, 0.0),
        (client.get_integer_details, 0),
        (client.get_object_details, {}),
    )
    last = found.get(flag, 0)
    for number in (last, *(other for other in range(len(readers)) if other != last)):
        read, default = readers[number]
        details = read(flag, default, context)
        if details.error_code != ErrorCode.TYPE_MISMATCH:
            found[flag] = number
            return details
    return details


def decide(command):
    """Returns a line per context, with on or off and variant per flag."""
    client = clients[command["client"]]

    def one(flag, context):
        details = evaluate(client, flag, to_context(context))
        is_enabled = details.flag_metadata.get("enabled", False)
        return [is_enabled, details.variant or ""]

    return {"decisions": [[one(flag, context) for flag in command["flags"]] for context in command["contexts"]]}


def ask(command):
    """Asks for one flag a number of times. Returns the last answer."""
    client = clients[command["client"]]
    context = to_context(command["context"])
    answers = [client.get_boolean_value(command["flag"], False, context) for _ in range(command["times"])]
    return {"isEnabled": answers[-1]}


def stop(command):
    """Forgets a client."""
    clients.pop(command["client"])
    return {}


COMMANDS = {"start": start, "decide": decide, "ask": ask, "stop": stop}

for line in sys.stdin:
    received = json.loads(line)
    try:
        answer = COMMANDS[received["do"]](received)
    except Exception as error:  # the test decides what an error means
        answer = {"error": repr(error)}
    print(json.dumps(answer), flush=True)
