"""HTTP connections to endpoints: posting, errors, keys, and connections on which replies and requests stay in step."""
