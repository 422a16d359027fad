"""Asks the reference memory server of npm for what `cargo bench -p myao --bench live -- agents` asks of us.

usage: peer_load.py [--entries 100000] [--seconds 30]

The server is installed, pinned, into a temporary folder, and gets one entity for each message of that bench, with the same
words. It speaks on standard input and output alone and looks for letters, not for words, so it is asked twice: for the
queries of the bench, most of which stand nowhere letter by letter, and for single words and numbers that do. One request is
under way at a time: it has one thread.
"""

import argparse
import itertools
import json
import os
import subprocess
import tempfile
import time
from pathlib import Path

PACKAGE = "@modelcontextprotocol/server-memory"
VERSION = "2026.8.31"
THINGS = (
    "release budget lunch garden roof printer visit contract camera picture survey server parcel window ladder kettle"
).split()
QUERIES = {
    "the queries of the bench": [
        "when is the release put off to",
        "printer 16th",
        "who looked at the roof",
        "kettle 18th",
        "camera 25th",
        "ladder",
        "nobody had time to look at the window",
        "parcel from:Amber",
    ],
    "words that stand in one message of sixteen": ["ladder", "kettle", "roof", "parcel"],
    "numbers that stand in one message": ["Number 54321:", "Number 777:", "Number 98765:"],
}


def entity(number):
    thing = THINGS[number % 16]
    day = number * 31 % 28 + 1
    said = f"Number {number}: the {thing} is put off until the {day}th, since nobody had time to look at it"
    return {"type": "entity", "name": f"message {number}", "entityType": "message", "observations": [said]}


class Peer:
    def __init__(self, folder, memory):
        main = folder / "node_modules" / PACKAGE / "dist" / "index.js"
        environment = {"PATH": os.environ["PATH"], "MEMORY_FILE_PATH": str(memory)}
        self.process = subprocess.Popen(
            ["node", str(main)],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self.ids = itertools.count(1)
        client = {"name": "load", "version": "1"}
        self.ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client})
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message):
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def ask(self, method, params):
        asked = next(self.ids)
        self.send({"jsonrpc": "2.0", "id": asked, "method": method, "params": params})
        while line := self.process.stdout.readline():
            answer = json.loads(line)
            if answer.get("id") == asked:
                return answer["result"], len(line)
        raise SystemExit("the server has ended")

    def search(self, query):
        result, size = self.ask("tools/call", {"name": "search_nodes", "arguments": {"query": query}})
        return len(result["structuredContent"]["entities"]), size

    def cpu(self):
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def rss_mb(self):
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0]) // 1024


def measure(peer, what, queries, seconds):
    took, found, sizes = [], [], []
    cpu, began = peer.cpu(), time.monotonic()
    for query in itertools.cycle(queries):
        started = time.monotonic()
        if started - began > seconds and len(took) >= len(queries):
            break
        hits, size = peer.search(query)
        took.append((time.monotonic() - started) * 1000)
        found.append(hits)
        sizes.append(size)
    rate = len(took) / (time.monotonic() - began)
    cpu = (peer.cpu() - cpu) * 1000 / len(took)
    took.sort()
    print(
        f"{what}: {rate:.2f} searches a second, p50 {took[len(took) // 2]:.0f} ms, p99 {took[len(took) * 99 // 100]:.0f} ms,"
        f" {cpu:.0f} ms of CPU each; {sum(found) / len(found):.0f} entities and {sum(sizes) / len(sizes) / 1024:.0f} KB an"
        f" answer; RSS {peer.rss_mb()} MB",
        flush=True,
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--entries", type=int, default=100_000)
    parser.add_argument("--seconds", type=float, default=30)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        install = ["npm", "install", "--silent", "--no-audit", "--no-fund", f"{PACKAGE}@{VERSION}"]
        subprocess.run(install, cwd=folder, check=True)
        memory = folder / "memory.jsonl"
        memory.write_text("\n".join(json.dumps(entity(number)) for number in range(arguments.entries)))
        print(f"{PACKAGE} {VERSION}, {arguments.entries} entities, {memory.stat().st_size / 1e6:.1f} MB")
        peer = Peer(folder, memory)
        try:
            for what, queries in QUERIES.items():
                measure(peer, what, queries, arguments.seconds)
        finally:
            peer.process.kill()
            peer.process.wait()


if __name__ == "__main__":
    main()
