"""Prints the decisions of the official Python SDK for the flags and contexts of a file."""

import json
import sys

from UnleashClient import UnleashClient
from UnleashClient.utils import InstanceAllowType

with open(sys.argv[1], encoding="utf-8") as file:
    task = json.load(file)


def decide_all(url):
    """Returns the decisions at one address: a line per context, with an entry per flag."""
    client = UnleashClient(
        url=url,
        app_name="python-service",
        custom_headers={"Authorization": task["token"]},
        disable_metrics=True,
        cache_directory=task["folder"],
        multiple_instance_mode=InstanceAllowType.SILENTLY_ALLOW,
    )
    client.initialize_client()

    def decide(name, context):
        variant = client.get_variant(name, context)
        payload = variant.get("payload") or {}
        return [client.is_enabled(name, context), variant["name"], payload.get("value")]

    decisions = [[decide(name, context) for name in task["flags"]] for context in task["contexts"]]
    client.destroy()
    return decisions


print(json.dumps([decide_all(url) for url in task["urls"]]))
