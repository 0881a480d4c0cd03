"""The official client for Python: client.py URL [KEY]. A line of JSON asks for the tools or calls one, a line of JSON answers."""
import asyncio
import json
import sys

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client


async def main(url: str, key: str = "") -> None:
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    async with httpx2.AsyncClient(headers=headers) as http:
        async with Client(streamable_http_client(url, http_client=http)) as client:
            while line := await asyncio.to_thread(sys.stdin.readline):
                asked = json.loads(line)
                if "call" in asked:
                    answer = (await client.call_tool(asked["call"], asked["args"])).structured_content
                else:
                    answer = [tool.name for tool in (await client.list_tools()).tools]
                print(json.dumps(answer), flush=True)


asyncio.run(main(*sys.argv[1:]))
