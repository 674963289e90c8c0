"""Decisions of the Yggdrasil engine: reads one case per line, writes the decisions of its flags per context.

Needs `pip install yggdrasil-engine`. Each flag is decided several times, so that chance shows.
"""

import ctypes
import json
import sys

from yggdrasil_engine.engine import UnleashEngine

TIMES = 6


def call(engine, function, *arguments):
    pointer = function(engine.state, *arguments)
    try:
        return json.loads(ctypes.cast(pointer, ctypes.c_char_p).value.decode())
    finally:
        engine.lib.free_response(pointer)


def decide(engine, name, context):
    arguments = (name.encode(), json.dumps(context).encode(), b"{}")
    enabled = call(engine, engine.lib.check_enabled, *arguments)["value"]
    variant = call(engine, engine.lib.check_variant, *arguments)["value"]
    return [enabled, variant and variant["name"]]


for line in sys.stdin:
    case = json.loads(line)
    engine = UnleashEngine()
    call(engine, engine.lib.take_state, json.dumps(case["document"]).encode())
    decisions = [
        [[decide(engine, name, context) for _ in range(TIMES)] for name in case["names"]]
        for context in case["contexts"]
    ]
    print(json.dumps(decisions), flush=True)
