"""Goes through what a server offers with the command line of the protocol's inspector.

usage: inspector.py INSPECTOR TABLE --era legacy|modern (--url URL [--token TOKEN] | -- COMMAND...)

INSPECTOR is the command that starts it. Each step is a process; it ends with 1 when one failed.
"""

import argparse
import json
import shlex
import subprocess
import sys

PATIENCE = 60


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("inspector")
    parser.add_argument("table")
    parser.add_argument("--era", required=True)
    parser.add_argument("--url")
    parser.add_argument("--token")
    # What stands behind "--" is the command, whatever it looks like.
    given = sys.argv[1:]
    end = given.index("--") if "--" in given else len(given)
    arguments = parser.parse_args(given[:end])
    arguments.command = given[end + 1 :]
    with open(arguments.table, encoding="utf-8") as file:
        table = json.load(file)
    if arguments.url:
        target = [arguments.url, "--transport", "http"]
        if arguments.token:
            target += ["--header", f"Authorization: Bearer {arguments.token}"]
    else:
        target = arguments.command
    counts = {True: 0, False: 0}

    def step(what, method, *options, code=0, says=""):
        command = [*shlex.split(arguments.inspector), "--cli", *target, "--protocol-era", arguments.era, "--method", method, *options]
        try:
            run = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
            said, ended = run.stdout + run.stderr, run.returncode
        except subprocess.TimeoutExpired:
            said, ended = "timed out", -1
        # A failure is told by any code but 0.
        is_fine = (ended == 0) == (code == 0) and ended >= 0 and says in said
        counts[is_fine] += 1
        print(f"{'ok  ' if is_fine else 'FAIL'} {what} ({ended}): {' '.join(said.split())[:150]}", flush=True)

    step("tools/list", "tools/list", says="inputSchema")
    for call in table.get("calls", []):
        options = ["--tool-name", call["tool"], "--tool-args-json", json.dumps(call["arguments"])]
        step(f"call {call['tool']}", "tools/call", *options, code=1 if call.get("fails") else 0, says=call.get("says", ""))
    step("resources/list", "resources/list")
    step("resources/templates/list", "resources/templates/list")
    for uri in table.get("resources", []):
        step(f"read {uri}", "resources/read", "--uri", uri)
    step("prompts/list", "prompts/list")
    for prompt in table.get("prompts", []):
        given = [f"{key}={value}" for key, value in prompt["arguments"].items()]
        options = ["--prompt-args", *given] if given else []
        step(f"prompt {prompt['name']}", "prompts/get", "--prompt-name", prompt["name"], *options)
    for wrong in table.get("errors", []):
        if "tool" in wrong:
            step(f"no tool {wrong['tool']}", "tools/call", "--tool-name", wrong["tool"], code=1)
        if "resource" in wrong:
            step(f"no resource {wrong['resource']}", "resources/read", "--uri", wrong["resource"], code=1)
        if "prompt" in wrong:
            step(f"no prompt {wrong['prompt']}", "prompts/get", "--prompt-name", wrong["prompt"], code=1)
    print(f"     {counts[True]} passed, {counts[False]} failed")
    sys.exit(1 if counts[False] else 0)


main()
