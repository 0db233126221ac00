info = {"name": "no_info"}
