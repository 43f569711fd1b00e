"""What tools/lib/documents makes of the program's words."""

# The options that every subcommand has, as argp answers them.
ANSWERS = [
    {"name": "help", "short": "h", "help": "Give this help list"},
    {"name": "usage", "help": "Give a short usage message"},
    {"name": "version", "short": "V", "help": "Print program version"},
]
