"""Verifies a token with the published keys, and prints its claims. The arguments are the address of the keys and the token."""

import json
import sys

import jwt

address, token = sys.argv[1:]
key = jwt.PyJWKClient(address).get_signing_key_from_jwt(token)
claims = jwt.decode(token, key, algorithms=["ES256"], issuer="strata", audience="strata")
json.dump(claims, sys.stdout)
