import sys

sys.exit("a plugin that calls sys.exit")
