import { act, fireEvent, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { ControlHolder } from "../../generated/bindings/ControlHolder";
import type { ControlPerson } from "../../generated/bindings/ControlPerson";
import type { ControlRequest } from "../../generated/bindings/ControlRequest";
import type { Role } from "../../generated/bindings/Role";
import { frame, robotRow, robotSafety } from "../../testing/fixtures";
import { type FakeStation, fakeStation, renderWith } from "../../testing/station";
import { ControlActs } from "./ControlActs";
import { IncomingRequests } from "./IncomingRequests";

const ME: ControlPerson = { session: "app-window", name: "dana", desk: "app_window", exclusive: true };
const BEN: ControlPerson = { session: "s-2", name: "ben", desk: "browser", exclusive: true };
const DORA: ControlPerson = { session: "s-3", name: "dora", desk: "program", exclusive: true };
const ASKED: ControlRequest = { id: "cr-1", from: ME, message: "I have to move it.", until_mono_ms: 18_000 };
const ROW = { robot: "arm-1", holder: { person: BEN }, request: ASKED };

function report(station: FakeStation, control: ControlHolder, control_request: ControlRequest | null = null) {
  const safety = robotSafety({ control, control_request });
  act(() => station.store.applyFrame(frame({ facts: [{ kind: "robot_safety", safety }] }), performance.now()));
}

function show(
  control: ControlHolder,
  { role = "operator", request = null }: { role?: Role; request?: ControlRequest | null } = {},
) {
  const answers = {
    take_control: ROW,
    release_control: ROW,
    hand_to_agent: ROW,
    request_control: ROW,
    force_control: ROW,
    answer_control_request: ROW,
  };
  const station = fakeStation(answers, { role });
  renderWith(
    station,
    <main tabIndex={-1}>
      <IncomingRequests />
      <ControlActs robot={robotRow()} />
    </main>,
  );
  report(station, control, request);
  return station;
}

const settle = () => act(async () => undefined);
const button = (testId: string) => screen.getByTestId<HTMLButtonElement>(`${testId}-arm-1`);
const press = (testId: string) => fireEvent.click(button(testId));

function write(text: string) {
  const field = document.activeElement;
  if (!(field instanceof HTMLInputElement) || !field.form) throw new Error("the focus is in no field");
  fireEvent.change(field, { target: { value: text } });
  fireEvent.submit(field.form);
}

describe("U-703 U-704 U-705 what a desk can do about control", () => {
  it.each<[string, ControlHolder, readonly string[]]>([
    ["of nobody", "nobody", ["Take control", "Hand to agent"]],
    ["of the agent", { agent: { id: "main" } }, ["Take control"]],
    ["of its own", { person: ME }, ["Release", "Hand to agent"]],
    [
      "of its own that it shares",
      { person: { ...ME, exclusive: false } },
      ["Take control", "Release", "Hand to agent"],
    ],
    ["of another desk", { person: BEN }, ["Ask for control…", "Force…"]],
    ["of the pendant", "local", []],
    ["of nobody knows whom", "unknown", []],
  ])("%s", (_, holder, acts) => {
    show(holder);
    expect(screen.queryAllByRole("button").map((found) => found.textContent)).toEqual(acts);
  });

  it("keeps the focus in the group when an act has ended", async () => {
    const station = show("nobody");
    button("take_control").focus();
    press("take_control");
    await settle();
    expect(station.asked.at(-1)).toEqual({ name: "take_control", input: { robot: "arm-1" } });
    report(station, { person: ME });
    expect(document.activeElement).toBe(screen.getByTestId("control-acts-arm-1"));
  });

  it("takes control at a double click, and does not give it away again", async () => {
    const station = show("nobody");
    fireEvent.click(button("take_control"), { detail: 1 });
    await settle();
    report(station, { person: ME });
    fireEvent.click(button("release_control"), { detail: 2 });
    await settle();
    const acts = station.asked.map(({ name }) => name).filter((name) => name.endsWith("_control"));
    expect(acts).toEqual(["take_control"]);
  });

  it("asks with a message, counts down, and says when the other kept it", async () => {
    const station = show({ person: BEN });
    press("ask-control");
    write("I have to move it.");
    await settle();
    expect(station.asked.at(-1)).toEqual({
      name: "request_control",
      input: { robot: "arm-1", message: "I have to move it." },
    });
    report(station, { person: BEN }, ASKED);
    expect(screen.getByTestId("asked-arm-1").textContent).toBe("Asked. ben has 8 s to answer.");
    report(station, { person: BEN });
    expect(screen.getByTestId("asked-arm-1").textContent).toBe("ben kept control or did not answer.");
  });

  it("says nothing of the answer of one holder about the next, and takes no reason along", async () => {
    const station = show({ person: BEN }, { role: "admin" });
    press("ask-control");
    write("I have to move it.");
    await settle();
    report(station, { person: BEN }, ASKED);
    press("force-control");
    report(station, { person: DORA });
    expect([screen.queryByTestId("asked-arm-1"), screen.queryByRole("textbox")]).toEqual([null, null]);
    expect(document.activeElement).toBe(screen.getByTestId("control-acts-arm-1"));
  });

  it("forces as Admin only, with a reason", async () => {
    show({ person: BEN });
    expect(button("force-control").disabled).toBe(true);
    document.body.replaceChildren();
    const station = show({ person: BEN }, { role: "admin" });
    press("force-control");
    write(" nobody at cell 2 ");
    await settle();
    expect(station.asked.at(-1)).toEqual({
      name: "force_control",
      input: { robot: "arm-1", reason: "nobody at cell 2" },
    });
  });
});

describe("U-704 a request that comes in", () => {
  const incoming = { ...ASKED, from: BEN, message: "<b>ignore your limits</b>" };

  it("shows who asks, their words as text, and the time left; nothing is focused", () => {
    show({ person: ME }, { request: incoming });
    const text = screen.getByTestId("control-request-arm-1").textContent;
    for (const part of [
      "ben (browser) asks for control of arm-1",
      "“<b>ignore your limits</b>”",
      "You keep it unless you answer within 8 s",
    ])
      expect(text).toContain(part);
    expect(document.activeElement).toBe(document.body);
  });

  it.each([
    ["allow-control", true],
    ["refuse-control", false],
  ])("is answered by %s", async (testId, allow) => {
    const station = show({ person: ME }, { request: incoming });
    press(testId);
    await settle();
    expect(station.asked.at(-1)).toEqual({ name: "answer_control_request", input: { id: "cr-1", allow } });
  });

  it("gives the focus back to the page when it goes away", async () => {
    const station = show({ person: ME }, { request: incoming });
    button("refuse-control").focus();
    press("refuse-control");
    await settle();
    expect(document.activeElement).toBe(button("refuse-control"));
    report(station, { person: ME });
    expect(document.activeElement).toBe(document.querySelector("main"));
  });

  it("is not shown to a desk without control", () => {
    show({ person: BEN }, { request: incoming });
    expect(screen.queryByTestId("control-request-arm-1")).toBeNull();
  });
});
