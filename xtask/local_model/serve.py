"""Serves a GGUF model as llama.cpp does, on a free port of this machine, until standard input closes.

Usage: serve.py MODEL WINDOW [TEMPLATE]. Without a template the model's own is used. Prints one line: the address.
"""

import pathlib
import sys

import xllamacpp

model, window, *templates = sys.argv[1:]
params = xllamacpp.CommonParams()
params.model.path = model
params.hostnames = ["127.0.0.1"]
params.port = 0
params.n_ctx = int(window)
params.n_predict = 64  # a small model has no end of words
params.n_parallel = 1  # one slot, so that a prefix is found again
params.cpuparams.n_threads = 1  # more threads than free cores make it slower
params.cpuparams_batch.n_threads = 2  # reading is what takes time
params.use_jinja = True
for template in templates:
    params.chat_template = pathlib.Path(template).read_text(encoding="utf-8")
params.endpoint_props = True
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
sys.stdin.read()
