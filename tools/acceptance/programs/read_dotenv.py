"""Reads dotenv files from a JSON list, and prints them as a JSON list."""

import io
import json
import sys

import dotenv

json.dump([dotenv.dotenv_values(stream=io.StringIO(source)) for source in json.load(sys.stdin)], sys.stdout)
