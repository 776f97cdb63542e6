import { act, fireEvent, screen } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";
import { HostError } from "../../host/host";
import { frame, robotRow, robotSafety } from "../../testing/fixtures";
import { fakeStation, renderWith } from "../../testing/station";
import { saveDraft } from "../../domain/agent/draft";
import { Composer } from "./Composer";

beforeEach(() => localStorage.clear());

const SENT = ["stop", "status"];

function show(running: string | null = null, answers: Record<string, unknown> = {}, empty = false) {
  const station = fakeStation({
    send_message: { session: "s-1", turn: "t-9" },
    turn_steer: { message: "Steer queued", position: 1 },
    turn_cancel: { message: "Turn cancelled", still_moving: ["arm-1"] },
    list_robots: [robotRow({ id: "rover-1" })],
    list_missions: [],
    list_world_state: [],
    ...answers,
  });
  const view = renderWith(station, <Composer running={running} sent={SENT} empty={empty} />);
  const asked = (name: string) => station.asked.filter((ask) => ask.name === name).map(({ input }) => input);
  return { station, view, asked };
}

const field = () => screen.getByTestId<HTMLTextAreaElement>("composer");

function type(text: string) {
  field().focus();
  fireEvent.change(field(), { target: { value: text } });
}

/** Keys one after the other, as the field gets them. */
async function press(...keys: string[]) {
  for (const key of keys) await act(async () => void fireEvent.keyDown(field(), { key }));
}

const offered = () => screen.queryAllByRole("option").map((option) => option.firstElementChild?.textContent);

describe("U-907 writing a message", () => {
  it("Enter sends it, and the draft goes", async () => {
    const { asked } = show();
    type(" status ");
    await press("Enter");
    expect([asked("send_message"), field().value]).toEqual([[{ text: "status", agent: "main" }], ""]);
  });

  it("words written while others are on their way stay", async () => {
    let take: (answer: unknown) => void = () => {};
    const taken = new Promise((resolve) => (take = resolve));
    const { view } = show(null, { send_message: () => taken });
    type("status");
    await press("Enter");
    type("and the second one");
    take({ session: "s-1", turn: "t-9" });
    await view.settled();
    expect(field().value).toBe("and the second one");
  });

  it("words that were sent are no draft on return, although their sender had left before the answer", async () => {
    let take: (answer: unknown) => void = () => {};
    const taken = new Promise((resolve) => (take = resolve));
    const { view } = show(null, { send_message: () => taken });
    type(" drive rover-1 ");
    await press("Enter");
    view.rerender(<p />);
    await act(async () => take({ session: "s-1", turn: "t-9" }));
    show();
    expect(field().value).toBe("");
  });

  it("an example sends itself alone, whatever stands in the field", async () => {
    const { asked } = show(null, {}, true);
    type("/pase half a comm");
    await act(async () => void fireEvent.click(screen.getByRole("button", { name: "status" })));
    expect([asked("send_message"), field().value]).toEqual([[{ text: "status", agent: "main" }], "/pase half a comm"]);
  });

  it("an arrow key leaves a suggestion that came while earlier words were recalled", async () => {
    const { station } = show();
    await press("ArrowUp");
    act(() => saveDraft(station.store, "why was it denied"));
    await press("ArrowUp");
    expect(field().value).toBe("why was it denied");
  });

  it("the draft survives navigation and restart, each conversation its own", () => {
    const { station, view } = show();
    type("for the desk");
    act(() => station.store.chooseConversation("chat-1"));
    expect(field().value).toBe("");
    type("for the chat");
    view.unmount();
    show();
    expect(field().value).toBe("for the desk");
  });

  it("a slash offers commands, Tab takes one, Escape puts them away", async () => {
    show();
    type("/st");
    expect(offered()).toEqual(["/status", "/stop", "/steer"]);
    await press("ArrowDown", "Tab");
    expect([field().value, offered()]).toEqual(["/stop ", []]);
    type("/s");
    await press("Escape");
    expect(offered()).toEqual([]);
  });

  it("a whole command is sent by Enter although it is offered", async () => {
    const { asked } = show();
    type("/alerts");
    await press("Enter");
    expect(asked("send_message")).toEqual([{ text: "/alerts", agent: "main" }]);
  });

  it("an unknown command is refused with the nearest known one", async () => {
    const { asked } = show();
    type("/pase patrol");
    await press("Enter");
    expect([asked("send_message"), screen.getByRole("status").textContent]).toEqual([
      [],
      "There is no such command. The nearest is /pause.",
    ]);
  });

  it("an @ offers what has a name", async () => {
    show();
    type("move @ro");
    expect(await screen.findByRole("option")).toBeTruthy();
    await press("Enter");
    expect(field().value).toBe("move rover-1 ");
  });

  it("the arrow keys bring back what was said, and leave what is half written", async () => {
    show();
    await press("ArrowUp");
    expect(field().value).toBe("stop");
    await press("ArrowUp", "ArrowUp");
    expect(field().value).toBe("status");
    await press("ArrowDown", "ArrowDown");
    expect(field().value).toBe("");
    type("half");
    await press("ArrowUp");
    expect(field().value).toBe("half");
  });
});

describe("first sentences", () => {
  const examples = async (robots: readonly object[]) => {
    await show(null, { list_robots: robots }, true).view.settled();
    return screen.getAllByRole("button").map(({ textContent }) => textContent);
  };

  it("name a simulated robot where there is one", async () =>
    expect(await examples([robotRow({ id: "arm-1", simulated: true })])).toContain(
      "move arm-1 to 0.5 0.2 1.0 at 0.2 m/s",
    ));

  it("propose no place to a real robot, nor to one that is not there", async () => {
    const shown = await examples([robotRow({ id: "arm-1", simulated: false }), robotRow({ id: "rover-1" })]);
    expect(shown.slice(0, 3)).toEqual(["what do you see", "status", "stop"]);
  });
});

describe("X-01 X-02 while a reply runs", () => {
  it("words steer it", async () => {
    const { asked } = show("t-1");
    type("slower please");
    await press("Enter");
    expect([asked("turn_steer"), asked("send_message"), field().value]).toEqual([
      [{ turn: "t-1", text: "slower please", agent: "main" }],
      [],
      "",
    ]);
  });

  it("words that come when it has just ended are a message", async () => {
    const ended = () => {
      throw new HostError("turn_ended", "This turn has ended already.", null, 409);
    };
    const { asked, view } = show("t-1", { turn_steer: ended });
    type("and then go home");
    await press("Enter");
    await view.settled();
    expect([asked("send_message"), field().value, screen.queryByText(/has ended already/)]).toEqual([
      [{ text: "and then go home", agent: "main" }],
      "",
      null,
    ]);
  });

  it.each([
    ["send-after", "then go home"],
    ["send", "/status"],
  ])("%s says “%s” in a turn of its own", async (button, text) => {
    const { asked } = show("t-1");
    type(text);
    await act(async () => void fireEvent.click(screen.getByTestId(button)));
    expect([asked("turn_steer"), asked("send_message")]).toEqual([[], [{ text, agent: "main" }]]);
  });

  it("U-905 Stop reply ends it, says that robots carry on, and then which", async () => {
    const { view, asked } = show("t-1");
    expect(screen.getByText("Ends the reply; robots carry on.")).toBeTruthy();
    await act(async () => void fireEvent.click(screen.getByTestId("stop-reply")));
    expect(asked("turn_cancel")).toEqual([{ turn: "t-1", agent: "main" }]);
    view.unmount();
  });

  it("X-02 what still moves is told of the stopped reply alone, and not of a robot that was stopped since", async () => {
    const { station } = show("t-1");
    const happen = (turn: string, event: object) => ({ kind: "turn", agent: "main", session: "s-1", turn, event });
    const tell = (...facts: object[]) =>
      act(() => station.store.applyFrame(frame({ facts: facts as never }), performance.now()));
    const ended = { turn_ended: { outcome: { cancelled: "operator" } } };
    const moving = () => screen.queryByTestId("still-moving")?.textContent;
    await act(async () => void fireEvent.click(screen.getByTestId("stop-reply")));
    tell(happen("t-1", ended));
    expect(moving()).toBe("Reply stopped. Still moving: arm-1.");
    tell({ kind: "robot_safety", safety: robotSafety({ robot: "arm-1", state: "safe_stop" }) });
    expect(moving()).toBeUndefined();
    tell({ kind: "robot_safety", safety: robotSafety({ robot: "arm-1", state: "armed" }) });
    tell(happen("t-2", { text_delta: { text: "Next." } }));
    tell(happen("t-2", ended));
    expect(moving()).toBeUndefined();
  });

  it("X-02 what still moves is told also if the reply is over before the answer comes", async () => {
    let answer: (told: object) => void = () => undefined;
    const { station } = show("t-1", { turn_cancel: () => new Promise((resolve) => (answer = resolve)) });
    await act(async () => void fireEvent.click(screen.getByTestId("stop-reply")));
    const event = { turn_ended: { outcome: { cancelled: "operator" } } };
    const facts = [{ kind: "turn", agent: "main", session: "s-1", turn: "t-1", event }];
    act(() => station.store.applyFrame(frame({ facts: facts as never }), performance.now()));
    await act(async () => answer({ message: "Turn cancelled", still_moving: ["arm-1"] }));
    expect((await screen.findByTestId("still-moving")).textContent).toBe("Reply stopped. Still moving: arm-1.");
  });
});
