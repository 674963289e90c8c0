"""Fixture `flags`: a test run of Burgee for each test."""

import json
import os
import urllib.request

import pytest

URL = os.environ["BURGEE_URL"].rstrip("/")
ADMIN_TOKEN = os.environ["BURGEE_ADMIN_TOKEN"]
RUNS = f"{URL}/api/admin/projects/{os.environ.get('BURGEE_PROJECT', 'default')}/test-runs"


def call(method, url, body=None, token=ADMIN_TOKEN):
    """Sends a request and returns the JSON of the response; raises HTTPError if the server rejects it."""
    data = None if body is None else json.dumps(body).encode()
    headers = {"Authorization": token, "Content-Type": "application/json"}
    request = urllib.request.Request(url, data, headers, method=method)
    with urllib.request.urlopen(request, timeout=10) as response:
        text = response.read()
    return json.loads(text) if text else None


class Flags:
    """Flags of one test: a token for server-side SDKs, and one for pages and OpenFeature."""

    def __init__(self, run):
        self.url = URL
        self.id = run["id"]
        self.client_token = run["clientToken"]
        self.frontend_token = run["frontendToken"]

    def set(self, overrides):
        """Changes overrides: True, False, {"variant": name}, or None to remove one."""
        call("PATCH", f"{RUNS}/{self.id}", {"overrides": overrides})


@pytest.fixture
def flags(request):
    """Starts a run with the overrides of the marker `flags`, and ends it after the test."""
    marker = request.node.get_closest_marker("flags")
    overrides = {} if marker is None else marker.args[0]
    environment = os.environ.get("BURGEE_ENVIRONMENT", "development")
    body = {"environment": environment, "overrides": overrides, "name": request.node.name[:100], "minutes": 10}
    run = Flags(call("POST", RUNS, body))
    yield run
    call("DELETE", f"{RUNS}/{run.id}")


def pytest_configure(config):
    config.addinivalue_line("markers", "flags(overrides): overrides with which the run of the test starts")
