import json
import os
import subprocess

import pytest


@pytest.fixture(scope="session")
def sandbox():
    command = ["npx", "--no", "kontor", "sandbox", "--seed", "demo", "--parent", str(os.getpid())]
    process = subprocess.Popen(command, stdout=subprocess.PIPE)  # it ends with this process
    return json.loads(process.stdout.readline())
