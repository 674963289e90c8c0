"""Drives the official Python SDK: reads commands as lines of JSON from standard input, and answers each with a line."""

import inspect
import json
import sys

from UnleashClient import UnleashClient
from UnleashClient.utils import InstanceAllowType

KNOWN = inspect.signature(UnleashClient.__init__).parameters
clients = {}


def start(command):
    """Starts a client. Returns once it has tried to fetch flags."""
    options = {
        "url": command["url"],
        "app_name": command["appName"],
        "environment": "development",
        "instance_id": command["instanceId"],
        "refresh_interval": command["intervalSeconds"],
        "metrics_interval": command["intervalSeconds"],
        "custom_headers": {"Authorization": command["token"]},
        "cache_directory": command["folder"],
        "project_name": command.get("project"),
        # a busy machine answers late
        "request_timeout": 30,
        "request_retries": 0,
        "multiple_instance_mode": InstanceAllowType.SILENTLY_ALLOW,
    }
    if command.get("streaming"):
        options["experimental_mode"] = {"type": "streaming"}
    client = UnleashClient(**{name: value for name, value in options.items() if name in KNOWN})
    clients[command["client"]] = client
    client.initialize_client()
    return {}


def decide(command):
    """Returns a line per context, with on or off, variant and payload per flag."""
    client = clients[command["client"]]

    def one(name, context):
        variant = client.get_variant(name, context)
        payload = variant.get("payload") or {}
        return [client.is_enabled(name, context), variant["name"], payload.get("value")]

    return {"decisions": [[one(name, context) for name in command["flags"]] for context in command["contexts"]]}


def ask(command):
    """Asks for one flag a number of times. Returns the last answer."""
    client = clients[command["client"]]
    answers = [client.is_enabled(command["flag"], command["context"]) for _ in range(command["times"])]
    return {"isEnabled": answers[-1]}


def measure(command):
    """Counts an impact metric."""
    metrics = clients[command["client"]].impact_metrics
    metrics.define_counter(command["name"], "A counter of a test")
    metrics.increment_counter(command["name"], 3)
    return {}


def stop(command):
    """Stops a client, which sends its last counts."""
    clients.pop(command["client"]).destroy()
    return {}


COMMANDS = {"start": start, "decide": decide, "ask": ask, "measure": measure, "stop": stop}

for line in sys.stdin:
    received = json.loads(line)
    try:
        answer = COMMANDS[received["do"]](received)
    except Exception as error:  # the test decides what an error means
        answer = {"error": repr(error)}
    print(json.dumps(answer), flush=True)
