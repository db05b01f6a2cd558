"""Reads documents of YAML from a JSON list, and prints them as a JSON list."""

import json
import sys

import yaml

json.dump([yaml.safe_load(source) for source in json.load(sys.stdin)], sys.stdout)
