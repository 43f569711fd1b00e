"""The completions for bash, zsh and fish. A value's name in the help says what it may be."""
import re

from . import ANSWERS

FILES = {"FILE", "PATH", "SOURCE"}
FOLDERS = {"FOLDER"}
ZONES = [f"{row}-{column}" for row in range(4) for column in range(4)]
WORDS = {
    "BUS": ["system", "session"], "CHECK": ["modbus", "xor"],
    # The built-in ones.
    "DRILL": ["deep-deep-short", "run", "three-to-the-backhand", "two-corners"],
    "ENCODING": ["digits", "framed"],
    "LANGUAGE": ["en", "de"],
    "LEVEL": ["beginner", "intermediate", "advanced"], "ZONE": ZONES,
}
GENERATED = "# Written by tools/lib/documents: change the program's options instead.\n"


def value_words(label, subcommands):
    """The words that a value may be, as far as they are known."""
    if label == "SUBCOMMAND":
        return [subcommand["name"] for subcommand in subcommands]
    return WORDS.get(label, [])


def takes(subcommand):
    """The names of the positional arguments: `[FILE]` is one, what stands behind an option isn't. Of several
    synopses the one with most has them."""
    words = [re.sub(r"--\S+ \S+", "", synopsis).split() for synopsis in subcommand["synopsis"]]
    return [word.strip("[]") for word in max(words, key=len, default=[])]


def bash(subcommands):
    values = {}
    for subcommand in subcommands:
        for option in subcommand["options"]:
            if option.get("value"):
                values.setdefault(option["value"], set()).add(option["name"])
    lines = [
        "# shellcheck shell=bash\n", GENERATED, """
_ballmachine() {
  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} words=''
  local options='' arguments='' files=false first=1
  # It may stand before the subcommand.
  if [[ ${COMP_WORDS[1]} == --json ]]; then
    first=2
  fi
  # readline takes the `=' of --option=VALUE for a word of its own.
  if [[ $current == = ]]; then
    current=''
  elif [[ $before == = ]]; then
    before=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  COMPREPLY=()
""", "  case $before in\n"]
    actions = {}
    for label, names in sorted(values.items()):
        words = value_words(label, subcommands)
        if words:
            action = f"words='{' '.join(words)}'"
        elif label in FILES:
            action = "_ballmachine_files; return"
        elif label in FOLDERS:
            action = "_ballmachine_files -d; return"
        else:
            action = "return"
        actions.setdefault(action, set()).update(names)
    for action, names in actions.items():
        pattern = " | ".join(f"--{name}" for name in sorted(names))
        lines.append(f"    {pattern}) {action} ;;\n")
    names = " ".join(subcommand["name"] for subcommand in subcommands)
    answers = " ".join(f"--{answer['name']}" for answer in ANSWERS)
    lines.append(f"""  esac
  if [[ -z $words ]] && ((COMP_CWORD == first)); then
    words='{names} --json {answers}'
  elif [[ -z $words ]]; then
    case ${{COMP_WORDS[first]}} in
""")
    for subcommand in subcommands:
        labels = takes(subcommand)
        options = " ".join(f"--{option['name']}" for option in subcommand["options"] + ANSWERS)
        own = subcommand.get("subcommands", subcommands)
        arguments = " ".join(word for label in labels for word in value_words(label, own))
        lines.append(f"      {subcommand['name']})\n        options='{options}'\n")
        if arguments:
            lines.append(f"        arguments='{arguments}'\n")
        if any(label in FILES for label in labels):
            lines.append("        files=true\n")
        lines.append("        ;;\n")
    lines.append("""    esac
    words=${arguments:-$options}
    if [[ $current == -* ]]; then
      words=$options
    elif $files; then
      _ballmachine_files
      return
    fi
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}

# Files, or with -d folders, for the word that is being typed; readline marks folders by itself.
_ballmachine_files() {
  compopt -o filenames 2> /dev/null
  mapfile -t COMPREPLY < <(compgen "${1:--f}" -- "$current")
}

complete -F _ballmachine ballmachine
""")
    return "".join(lines)


def json_option(subcommands):
    """The option that may stand before the subcommand."""
    return next(option for subcommand in subcommands for option in subcommand["options"]
                if option["name"] == "json")


def zsh(subcommands):
    def action(label, own=subcommands):
        words = value_words(label, own)
        if words:
            return f"({' '.join(words)})"
        if label in FOLDERS:
            return "_files -/"
        return "_files" if label in FILES else ""

    def quoted(text):
        return text.replace("'", "'\\''").replace("[", "\\[").replace("]", "\\]").replace(":", "\\:")

    def spec(option):
        name = f"--{option['name']}"
        value = option.get("value")
        rest = f"{'=' if value else ''}[{quoted(option['help'])}]"
        if value:
            rest += f":{value}:{action(value)}"
        if option.get("short") and option["short"].isalpha():
            short = f"-{option['short']}"
            return f"'({short} {name})'{{{short},{name}}}'{rest}'"
        return f"'{name}{rest}'"

    lines = ["#compdef ballmachine\n", GENERATED, """
_ballmachine() {
  local -a subcommands
  local curcontext=$curcontext state line
  subcommands=(
"""]
    for subcommand in subcommands:
        lines.append(f"    '{subcommand['name']}:{quoted(subcommand['summary'])}'\n")
    lines.append("  )\n  _arguments -C \\\n")
    lines += [f"    {spec(option)} \\\n" for option in ANSWERS + [json_option(subcommands)]]
    lines.append("""    '1:subcommand:->subcommand' \\
    '*::argument:->argument'
  case $state in
    subcommand) _describe -t commands subcommand subcommands ;;
    argument)
      curcontext=${curcontext%:*}-$line[1]:
      case $line[1] in
""")
    for subcommand in subcommands:
        lines.append(f"        {subcommand['name']})\n          _arguments")
        for option in subcommand["options"] + ANSWERS:
            lines.append(f" \\\n            {spec(option)}")
        for label in takes(subcommand):
            own = subcommand.get("subcommands", subcommands)
            lines.append(f" \\\n            ':{label}:{action(label, own)}'")
        lines.append("\n          ;;\n")
    lines.append("""      esac
      ;;
  esac
}

_ballmachine "$@"
""")
    return "".join(lines)


def fish(subcommands):
    def quoted(text):
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"

    def value_flags(label):
        words = value_words(label, subcommands)
        if words:
            return f" -x -a {quoted(' '.join(words))}"
        if label in FOLDERS:
            return " -x -a '(__fish_complete_directories)'"
        return " -r -F" if label in FILES else " -x"

    lines = [GENERATED, "complete -c ballmachine -f\n"]
    for answer in ANSWERS:
        lines.append(f"complete -c ballmachine -l {answer['name']} -d {quoted(answer['help'])}\n")
    lines.append("complete -c ballmachine -n __fish_use_subcommand -l json"
                 f" -d {quoted(json_option(subcommands)['help'])}\n")
    for subcommand in subcommands:
        lines.append(f"complete -c ballmachine -n __fish_use_subcommand -a {subcommand['name']}"
                     f" -d {quoted(subcommand['summary'])}\n")
    for subcommand in subcommands:
        begin = f"complete -c ballmachine -n '__fish_seen_subcommand_from {subcommand['name']}'"
        for option in subcommand["options"]:
            line = f"{begin} -l {option['name']}"
            if option.get("short"):
                line += f" -s {option['short']}"
            if option.get("value"):
                line += value_flags(option["value"])
            lines.append(f"{line} -d {quoted(option['help'])}\n")
        for label in takes(subcommand):
            if label in FILES:
                lines.append(f"{begin} -F\n")
            elif words := value_words(label, subcommand.get("subcommands", subcommands)):
                lines.append(f"{begin} -a {quoted(' '.join(words))}\n")
    return "".join(lines)
