"""A server of tools over the pipes of its process, made with the protocol's own Python package.

Its first argument is the description of `add`, so that a test can change it. `die` ends the process."""

import os
import socket
import sys
from pathlib import Path

from mcp.server.mcpserver import MCPServer

server = MCPServer("sums")


@server.tool(description=sys.argv[1])
def add(a: int, b: int) -> int:
    return a + b


@server.tool(description="Reads a file.")
def read(path: str) -> str:
    return Path(path).read_text()


@server.tool(description="Opens a connection.")
def connect(port: int) -> str:
    with socket.create_connection(("127.0.0.1", port), timeout=2):
        return "connected"


@server.tool(description="Says a lot.")
def chatter(letters: int) -> str:
    return "x" * letters


@server.tool(description="Ends the server.")
def die() -> str:
    os._exit(1)


server.run()
