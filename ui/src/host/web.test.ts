import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { frame } from "../testing/fixtures";
import { createWebHost } from "./web";

/** A socket under the test's hand; `open` is its list. */
class FakeSocket extends EventTarget {
  static open: FakeSocket[] = [];
  isClosed = false;
  readonly sent: string[] = [];

  constructor() {
    super();
    FakeSocket.open.push(this);
  }

  send(text: string): void {
    this.sent.push(text);
  }

  // As a socket whose other end has vanished: it does not say that it is closed.
  close(): void {
    this.isClosed = true;
  }

  say(value: unknown): void {
    this.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(value) }));
  }
}

const sockets = () => FakeSocket.open;
const newest = () => sockets().at(-1) ?? new FakeSocket();

describe("frames in a browser", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    FakeSocket.open = [];
    vi.stubGlobal("WebSocket", FakeSocket);
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  function listen() {
    const told: unknown[] = [];
    const host = createWebHost("http://station", "secret", () => told.push("refused"));
    const end = host.subscribe(
      ({ seq }) => told.push(seq),
      (connected) => told.push(connected),
    );
    return { told, end };
  }

  it("come from a new socket once the old one has been silent too long", () => {
    const { told, end } = listen();
    const first = newest();
    first.say(frame({ seq: 1 }));
    vi.advanceTimersByTime(4_900);
    first.say(frame({ seq: 2 }));
    vi.advanceTimersByTime(4_900);
    expect([told, first.isClosed]).toEqual([[true, 1, 2], false]);
    vi.advanceTimersByTime(400);
    expect([told.at(-1), first.isClosed, sockets().length]).toEqual([false, true, 2]);
    newest().say(frame({ seq: 1 }));
    first.say(frame({ seq: 3 }));
    first.dispatchEvent(new Event("close"));
    expect(told).toEqual([true, 1, 2, false, true, 1]);
    end();
  });

  it("are asked for again where a connection is never answered", () => {
    const { told, end } = listen();
    vi.advanceTimersByTime(10_300);
    expect([told, sockets().length]).toEqual([[false], 2]);
    end();
  });

  it("say that too many windows listen, until another end or a frame", () => {
    const crowded: unknown[] = [];
    const end = createWebHost("http://station", "secret", () => undefined).subscribe(
      () => undefined,
      (...state) => crowded.push(state),
    );
    newest().dispatchEvent(Object.assign(new Event("close"), { code: 1013 }));
    vi.advanceTimersByTime(300);
    newest().dispatchEvent(Object.assign(new Event("close"), { code: 1006 }));
    vi.advanceTimersByTime(600);
    newest().say(frame({ seq: 1 }));
    expect(crowded).toEqual([[false, true], [false, false], [true]]);
    end();
  });

  it("end with the window's interest in them", () => {
    const { told, end } = listen();
    const only = newest();
    end();
    only.dispatchEvent(new Event("close"));
    only.say(frame({ seq: 1 }));
    vi.advanceTimersByTime(60_000);
    expect([told, sockets().length, only.isClosed]).toEqual([[], 1, true]);
  });
});

describe("an answer over HTTP", () => {
  afterEach(() => void vi.unstubAllGlobals());

  async function call(body: BodyInit, status = 200) {
    vi.stubGlobal("fetch", async () => new Response(body, { status }));
    return createWebHost("http://station", "secret", () => undefined).call("hold_robot", { robot: "arm-1" });
  }

  it("that is whole is handed out", async () => expect(await call('{"state":"hold"}')).toEqual({ state: "hold" }));
  it("that is no JSON is none", () =>
    expect(call("<html>")).rejects.toMatchObject({ name: "HostError", code: "bad_answer" }));
  it("that breaks off is none", () => {
    const broken = new ReadableStream({ start: (stream) => stream.error(new TypeError("connection reset")) });
    return expect(call(broken)).rejects.toMatchObject({ name: "HostError", code: "unreachable" });
  });
  it("with a refusal keeps its code", () =>
    expect(call(JSON.stringify({ code: "locked", message: "The desk is locked." }), 403)).rejects.toMatchObject({
      code: "locked",
      status: 403,
    }));
});
