import { act, fireEvent, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { HostError } from "../../../host/host";
import { robotRow } from "../../../testing/fixtures";
import { fakeStation, renderWith } from "../../../testing/station";
import { Begin } from "./Begin";
import { CommissioningPage } from "./CommissioningPage";
import { HardwareStop } from "./HardwareStop";
import { StepButton } from "./StepButton";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const ROW = { robot: "arm-1", gate: null, manifest: "unknown", under_way: true } as const;
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const click = (testId: string) => fireEvent.click(screen.getByTestId(testId));
const station = () =>
  fakeStation({ run_commissioning_step: ROW, let_go_commissioning_step: ROW, begin_commissioning: {} });
const namesOf = ({ asked }: { asked: { name: string }[] }) => asked.map(({ name }) => name);

describe("RG-31 a step that is held", () => {
  let refuse: (refusal: string | null) => void;
  function Held({ first }: { first: string | null }) {
    const [refusal, setRefusal] = useState(first);
    refuse = (next) => act(() => setRefusal(next));
    return <StepButton robot="arm-1" step="axis_x" refusal={refusal} onRow={() => undefined} />;
  }

  it("does not begin by a pointer on a closed button", async () => {
    const closed = station();
    renderWith(closed, <Held first="Not now." />);
    fireEvent.pointerDown(screen.getByTestId("hold-axis_x"), { button: 0 });
    await pass(500);
    expect(namesOf(closed)).toEqual([]);
  });

  it("is let go by a refusal that arises meanwhile", async () => {
    const open = station();
    renderWith(open, <Held first={null} />);
    fireEvent.pointerDown(screen.getByTestId("hold-axis_x"), { button: 0 });
    await pass(5);
    refuse("Not now.");
    await pass(500);
    expect(namesOf(open)).toEqual(["run_commissioning_step", "let_go_commissioning_step"]);
  });
});

it("RG-31 a double click on the watch for the hardware stop does not say that it was not seen", async () => {
  const watched = station();
  function Watch() {
    const [running, setRunning] = useState(false);
    return <HardwareStop robot="arm-1" running={running} refusal={null} onRow={() => setRunning(true)} />;
  }
  renderWith(watched, <Watch />);
  click("watch-hardware-stop");
  await pass(50);
  click("stop-not-seen");
  await pass(50);
  expect(namesOf(watched)).toEqual(["run_commissioning_step"]);
  await pass(600);
  click("stop-not-seen");
  await pass(5);
  expect(namesOf(watched)).toEqual(["run_commissioning_step", "let_go_commissioning_step"]);
});

it("RG-31 the word that somebody is at the hardware stop counts for one begin", async () => {
  renderWith(station(), <Begin robot={robotRow()} row={{ ...ROW, under_way: false }} />);
  click("at-hardware-stop");
  click("begin-commissioning");
  await pass(5);
  expect(screen.getByTestId<HTMLInputElement>("at-hardware-stop").checked).toBe(false);
});

it("a commissioning that cannot be read says why instead of loading for ever", async () => {
  const broken = fakeStation({
    list_robots: [robotRow()],
    get_commissioning: () => {
      throw new HostError("unreachable", "The station cannot be reached.");
    },
  });
  renderWith(broken, <CommissioningPage robot="arm-1" />);
  await pass(2_000);
  expect(screen.getByTestId("commissioning-page").textContent).toContain("cannot be reached");
});
