import { act, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Proposal } from "../../generated/bindings/Proposal";
import { itemRow, proposal, robotRow } from "../../testing/fixtures";
import { fakeStation, renderWith } from "../../testing/station";
import { ProposalCard } from "./ProposalCard";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const INPUT = { robot: "arm-1", actuator: "arm", motion: { pose_goal: { position_m: [0.5, 0.2, 1], speed_mps: 0.2 } } };
const SENT = { command_id: "c-1", state: "received", sentence: "", explanation: [], verdict: { robot: "arm-1" } };

function show(change: Partial<Proposal> = {}, answers: Record<string, unknown> = {}) {
  const station = fakeStation({
    edit_proposal: SENT,
    grant_standing_approval: { message: "", id: "sa-1" },
    list_robots: [robotRow()],
    ...answers,
  });
  const { container } = renderWith(
    station,
    <ProposalCard proposal={proposal({ tier: "medium", input: INPUT, ...change })} asked_ms={0} />,
  );
  const asked = (name: string) => station.asked.filter((ask) => ask.name === name).map(({ input }) => input);
  return { container, asked };
}

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const open = (testId: string) => fireEvent.click(screen.getByTestId(testId));
const write = (name: string, value: string) =>
  fireEvent.change(screen.getByRole("textbox", { name }), { target: { value } });

async function send() {
  await pass(700);
  fireEvent.click(screen.getByTestId("edit-send"), { detail: 1 });
  await pass(1);
}

describe("other numbers on a card", () => {
  it("are sent with everything else as it was", async () => {
    const { asked } = show();
    open("edit");
    expect(document.activeElement).toBe(screen.getByRole("textbox", { name: "position x" }));
    write("position z", "0,9");
    await send();
    const input = { ...INPUT, motion: { pose_goal: { position_m: [0.5, 0.2, 0.9], speed_mps: 0.2 } } };
    expect(asked("edit_proposal")).toEqual([{ id: "pr-1", version: 1, input }]);
  });

  it("are not sent while nothing is changed, or while a field is no number", async () => {
    const { asked } = show();
    open("edit");
    await send();
    write("speed", "fast");
    await send();
    expect(asked("edit_proposal")).toEqual([]);
  });

  it("show the verdict in place where they are denied", async () => {
    const explanation = [itemRow("workspace", { verdict: "deny", margin: -1 })];
    show({}, { edit_proposal: { ...SENT, state: "denied", sentence: "Denied: too far.", explanation } });
    open("edit");
    write("position x", "3");
    await send();
    const told = screen.getByTestId("edit-denied").textContent;
    expect([told?.includes("Denied: too far."), told?.includes("−1.00 m")]).toEqual([true, true]);
  });

  it("name who has control where that is why", async () => {
    const explanation = [itemRow("precondition", { verdict: "deny", reason: { code: "arbitration", args: {} } })];
    show({}, { edit_proposal: { ...SENT, state: "denied", sentence: "Denied: nobody has control.", explanation } });
    open("edit");
    write("position x", "0.4");
    await send();
    expect(screen.getByTestId("denial-control").textContent).toContain("Take control");
  });
});

describe("a standing approval from a card", () => {
  it("is granted with the bounds of the fields", async () => {
    const { asked, container } = show();
    open("standing");
    write("Maximum uses", "3");
    open("standing-grant");
    await pass(1);
    expect(asked("grant_standing_approval")).toMatchObject([
      { robot: "arm-1", envelope: { speed_mps_max: 0.2 }, count: 3, hours: 1 },
    ]);
    expect(container.textContent).toContain("Granted. It is listed under Safety");
  });

  it("is not offered on a High card", () => {
    show({ tier: "high" });
    expect(screen.queryByTestId("standing")).toBeNull();
  });
});

describe("U-1206 what a card is bound to", () => {
  it("is listed, with what does not hold any more", () => {
    show({
      preconditions: [
        { code: "same_set", holds: true },
        { code: "start_pose", holds: false },
      ],
    });
    const rows = [...screen.getByTestId("preconditions").querySelectorAll("li")].map((row) => [
      row.dataset["holds"],
      row.textContent?.trim(),
    ]);
    expect(rows).toEqual([
      ["true", "The limits are the same holds"],
      ["false", "The robot is where it was fails"],
    ]);
  });

  it("marks facts that have aged", () => {
    const { container } = show({
      facts: [{ key: "person.location", value: "hallway", age_ms: 9_000, freshness: "stale" }],
    });
    expect(container.querySelector('[data-freshness="stale"]')?.textContent).toContain("hallway");
  });

  it("is compared with the last approved action of its kind", () => {
    show({
      diff_from_last: {
        last: "pr-0",
        changes: [
          { path: "motion.pose_goal.position_m[0]", from: 0.3, to: 0.5 },
          { path: "force_n", from: null, to: 5 },
        ],
      },
    });
    const rows = [...screen.getByTestId("diff-from-last").querySelectorAll("tr")].map((row) => row.textContent);
    expect(rows).toEqual(["position x0.3 → 0.5 m", "forcenone → 5 N"]);
  });
});

it("a rejection that is under way takes the focus from no button", async () => {
  const { asked } = show({}, { reject_proposal: () => new Promise(() => undefined) });
  open("reject");
  const button = screen.getByTestId("reject-unsafe");
  act(() => button.focus());
  open("reject-unsafe");
  await pass(1);
  expect([document.activeElement, button.matches(":disabled"), button.ariaDisabled]).toEqual([button, false, "true"]);
  open("reject-unsafe");
  expect(asked("reject_proposal")).toHaveLength(1);
});
