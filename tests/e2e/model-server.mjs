// A server that speaks Chat Completions and says what a test tells it, piece by piece.
import { once } from "node:events";
import { createServer } from "node:http";

/** Name of the fake model. */
export const MODEL = "fake-1";

/**
 * Starts it. `answer(reply)` puts a reply into the queue: pieces of text, and functions that are waited for between
 * them; `{ call: [name, input] }` is the call of a tool. `asked` fills with the bodies it was sent.
 */
export async function startModelServer() {
  const asked = [];
  const replies = [];
  const server = createServer(async (request, response) => {
    if (request.method === "GET")
      return void sendJson(response, { object: "list", data: [{ id: MODEL, object: "model" }] });
    let body = "";
    for await (const piece of request) body += piece;
    const wanted = JSON.parse(body);
    asked.push({ body: wanted, authorization: request.headers.authorization ?? null });
    // Without tools it is asked beside the conversation: whether an answer is enough, or what a message needs.
    const reply = wanted.tools === undefined ? ["DONE: yes"] : (replies.shift() ?? ["I have nothing to say."]);
    if (wanted.stream === true) await stream(response, reply);
    else
      sendJson(response, {
        id: "c",
        object: "chat.completion",
        model: MODEL,
        choices: [{ index: 0, message: { role: "assistant", content: wordsOf(reply) }, finish_reason: "stop" }],
        usage: USAGE,
      });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  return {
    base: `http://127.0.0.1:${port}/v1`,
    asked,
    answer: (...reply) => replies.push(reply),
    end: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const USAGE = { prompt_tokens: 1_000, completion_tokens: 20, total_tokens: 1_020 };

async function stream(response, reply) {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const send = (choice, more = {}) =>
    response.write(
      `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", model: MODEL, choices: choice ? [{ index: 0, ...choice }] : [], ...more })}\n\n`,
    );
  send({ delta: { role: "assistant", content: "" }, finish_reason: null });
  let calls = 0;
  for (const part of reply) {
    // Pieces leave in order, at the pace the test gives.
    // oxlint-disable-next-line no-await-in-loop
    if (typeof part === "function") await part();
    else if (typeof part === "string") send({ delta: { content: part }, finish_reason: null });
    else {
      const [name, input] = part.call;
      send({
        delta: {
          tool_calls: [
            {
              index: calls,
              id: `call_${calls}`,
              type: "function",
              function: { name, arguments: JSON.stringify(input) },
            },
          ],
        },
        finish_reason: null,
      });
      calls += 1;
    }
  }
  send({ delta: {}, finish_reason: calls > 0 ? "tool_calls" : "stop" });
  send(null, { usage: USAGE });
  response.end("data: [DONE]\n\n");
}

function wordsOf(reply) {
  return reply.filter((part) => typeof part === "string").join("");
}

function sendJson(response, value) {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify(value));
}

/** A door that a test opens. */
export function gate() {
  let open;
  const opened = new Promise((done) => (open = done));
  return { wait: () => opened, open };
}
