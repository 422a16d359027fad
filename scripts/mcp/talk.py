"""Goes through what a server offers with the protocol's own client for Python: mcp 2.x in either era, or mcp 1.x.

usage: talk.py TABLE [--mode auto|legacy|2026-07-28] (--url URL [--token TOKEN] | -- COMMAND...)

TABLE is a file like fixture.json: the calls to make and what they have to say. Each step is a line; the last tells how many
passed and failed. It ends with 1 when one failed.
"""

import argparse
import asyncio
import contextlib
import json
import os
import shlex
import sys
from importlib.metadata import version

import mcp

PATIENCE = 20
IS_TWO = version("mcp").startswith("2.")


class Steps:
    def __init__(self):
        self.passed = 0
        self.failed = 0

    async def step(self, what, work, holds=lambda result: True, show=str):
        try:
            result = await asyncio.wait_for(work, PATIENCE)
        except Exception as error:  # Whatever a client raises is a failed step.
            result, is_fine, shown = None, False, f"{type(error).__name__}: {error}"
        else:
            is_fine, shown = bool(holds(result)), show(result)
        self.passed += is_fine
        self.failed += not is_fine
        print(f"{'ok  ' if is_fine else 'FAIL'} {what}: {' '.join(shown.split())[:150]}", flush=True)
        return result

    async def refused(self, what, work):
        """A step that has to be an error of the protocol, or a result that says it failed."""

        async def tried():
            try:
                result = await work
            except Exception as error:
                return f"{type(error).__name__}: {error}"
            failed = getattr(result, "is_error", None) or getattr(result, "isError", None)
            return f"failed: {text_of(result)}" if failed else None

        await self.step(what, tried(), lambda said: said is not None and "imed out" not in said)


def text_of(result):
    return " ".join(getattr(block, "text", type(block).__name__) for block in result.content)


def has_failed(result):
    return bool(getattr(result, "is_error", getattr(result, "isError", False)))


@contextlib.asynccontextmanager
async def client_of_two(arguments, heard):
    from mcp.client.streamable_http import streamable_http_client

    async def hear(message):
        heard.append(message)

    if arguments.url:
        import httpx2

        headers = {"Authorization": f"Bearer {arguments.token}"} if arguments.token else {}
        http = httpx2.AsyncClient(headers=headers, timeout=PATIENCE)
        server = streamable_http_client(arguments.url, http_client=http)
    else:
        server = mcp.StdioServerParameters(command=arguments.command[0], args=arguments.command[1:], env=dict(os.environ))
        server = mcp.stdio_client(server)
    async with mcp.Client(server, mode=arguments.mode, message_handler=hear) as client:
        yield client, client.protocol_version, client.instructions


@contextlib.asynccontextmanager
async def client_of_one(arguments, heard):
    from mcp.client.streamable_http import streamablehttp_client

    async def hear(message):
        heard.append(message)

    async with contextlib.AsyncExitStack() as stack:
        if arguments.url:
            headers = {"Authorization": f"Bearer {arguments.token}"} if arguments.token else {}
            streams = await stack.enter_async_context(streamablehttp_client(arguments.url, headers=headers))
        else:
            server = mcp.StdioServerParameters(
                command=arguments.command[0], args=arguments.command[1:], env=dict(os.environ)
            )
            streams = await stack.enter_async_context(mcp.stdio_client(server))
        client = await stack.enter_async_context(mcp.ClientSession(streams[0], streams[1], message_handler=hear))
        begun = await client.initialize()
        yield client, begun.protocolVersion, begun.instructions


async def subscribe(steps, client, revision, wanted, heard):
    uri = wanted["uri"]

    async def change():
        if "tool" in wanted:
            await client.call_tool(wanted["tool"], wanted["arguments"])
        else:
            process = await asyncio.create_subprocess_exec(*shlex.split(wanted["command"]))
            await process.wait()

    async def newer():
        async with client.listen(resource_subscriptions=[uri]) as stream:
            await change()
            return await anext(aiter(stream))

    async def older():
        await client.subscribe_resource(uri)
        # The stream of a session is opened beside the first requests.
        await asyncio.sleep(1)
        await change()
        while True:
            for message in heard:
                if "ResourceUpdated" in repr(message):
                    return message
            await asyncio.sleep(0.05)

    is_newer = IS_TWO and revision >= "2026-07-28"
    await steps.step(f"subscription to {uri}", newer() if is_newer else older())


async def talk(arguments, table):
    steps, heard = Steps(), []
    began = client_of_two if IS_TWO else client_of_one
    async with began(arguments, heard) as (client, revision, instructions):
        print(f"     mcp {version('mcp')} speaks {revision}; instructions: {' '.join((instructions or '').split())[:80]}")
        await steps.step("tools/list", client.list_tools(), lambda all: all.tools, lambda all: ", ".join(t.name for t in all.tools))
        for call in table.get("calls", []):
            await steps.step(
                f"call {call['tool']} {json.dumps(call['arguments'], ensure_ascii=False)[:60]}",
                client.call_tool(call["tool"], call["arguments"]),
                lambda result: has_failed(result) == call.get("fails", False) and call.get("says", "") in text_of(result),
                text_of,
            )
        await steps.step("resources/list", client.list_resources(), lambda all: True, lambda all: ", ".join(str(r.uri) for r in all.resources))
        await steps.step("resources/templates/list", client.list_resource_templates())
        for uri in table.get("resources", []):
            await steps.step(f"read {uri}", client.read_resource(uri), lambda read: read.contents)
        await steps.step("prompts/list", client.list_prompts(), lambda all: True, lambda all: ", ".join(p.name for p in all.prompts))
        for prompt in table.get("prompts", []):
            await steps.step(f"prompt {prompt['name']}", client.get_prompt(prompt["name"], prompt["arguments"]), lambda got: got.messages)
        if "subscription" in table:
            await subscribe(steps, client, revision, table["subscription"], heard)
        for wrong in table.get("errors", []):
            if "tool" in wrong:
                await steps.refused(f"no tool {wrong['tool']}", client.call_tool(wrong["tool"], wrong.get("arguments", {})))
            if "resource" in wrong:
                await steps.refused(f"no resource {wrong['resource']}", client.read_resource(wrong["resource"]))
            if "prompt" in wrong:
                await steps.refused(f"no prompt {wrong['prompt']}", client.get_prompt(wrong["prompt"], {}))
    if arguments.url and arguments.token:
        await steps.refused("a wrong token", enter(began, arguments))
    print(f"     {steps.passed} passed, {steps.failed} failed")
    return steps.failed


async def enter(began, arguments):
    wrong = argparse.Namespace(**{**vars(arguments), "token": "wrong"})
    async with began(wrong, []):
        pass


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table")
    parser.add_argument("--mode", default="auto")
    parser.add_argument("--url")
    parser.add_argument("--token")
    # What stands behind "--" is the command, whatever it looks like.
    given = sys.argv[1:]
    end = given.index("--") if "--" in given else len(given)
    arguments = parser.parse_args(given[:end])
    arguments.command = given[end + 1 :]
    with open(arguments.table, encoding="utf-8") as file:
        table = json.load(file)
    sys.exit(1 if asyncio.run(talk(arguments, table)) else 0)


main()
