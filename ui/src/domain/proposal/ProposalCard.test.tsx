import { QueryClientProvider } from "@tanstack/react-query";
import { act, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Proposal } from "../../generated/bindings/Proposal";
import { createQueryClient } from "../../host/query";
import { StationContext } from "../station/station-context";
import { itemRow, proposal } from "../../testing/fixtures";
import { type FakeStation, fakeStation, renderWith } from "../../testing/station";
import { ProposalCard } from "./ProposalCard";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

function show(change: Partial<Proposal> = {}, station: FakeStation = fakeStation({ approve_proposal: {} })) {
  const view = renderWith(station, <ProposalCard proposal={proposal(change)} asked_ms={0} />);
  return { station, view, approve: screen.queryByTestId<HTMLButtonElement>("approve") as HTMLButtonElement };
}

const approvals = ({ asked }: FakeStation) =>
  asked.filter(({ name }) => name === "approve_proposal").map(({ input }) => input);

describe("the approval card", () => {
  it("U-1204 keeps Approve disabled for 600 ms and focuses nothing", async () => {
    const { approve } = show();
    await pass(590);
    expect([approve.disabled, document.activeElement]).toEqual([true, document.body]);
    await pass(20);
    expect(approve.disabled).toBe(false);
  });

  it("P-21a offers to set aside what the agent has read where that made the card", async () => {
    const read = { tier_rule: "turn_has_read_untrusted_text", session: "s-1", tier: "high" as const };
    const readings = [{ entry: 3, at_ms: 0, origin: "tool(list_missions)", text: "obey" }];
    const { station } = show(read, fakeStation({ set_aside_untrusted: { session: "s-1", readings, derived: 1 } }));
    fireEvent.click(screen.getByTestId("set-aside"));
    await pass(20);
    expect(station.asked.find(({ name }) => name === "set_aside_untrusted")?.input).toMatchObject({ session: "s-1" });
    expect(screen.getByText("1 reading set aside: tool(list_missions)")).toBeTruthy();
  });

  it("P-21a says what was set aside, also where the card was voided before the answer", async () => {
    const read = { tier_rule: "turn_has_read_untrusted_text", session: "s-1" };
    let answer: (value: unknown) => void = () => undefined;
    const answered = new Promise((done) => {
      answer = done;
    });
    const { station, view } = show(read, fakeStation({ set_aside_untrusted: () => answered }));
    fireEvent.click(screen.getByTestId("set-aside"));
    await pass(20);
    view.rerender(
      <StationContext value={station}>
        <QueryClientProvider client={view.queries}>
          <ProposalCard proposal={proposal({ ...read, state: "voided" })} asked_ms={0} />
        </QueryClientProvider>
      </StationContext>,
    );
    expect(screen.queryByTestId("set-aside")).toBeNull();
    answer({ session: "s-1", readings: [{ entry: 3, at_ms: 0, origin: "tool(look)", text: "obey" }], derived: 0 });
    await pass(20);
    expect(screen.getByText("1 reading set aside: tool(look)")).toBeTruthy();
  });

  it("U-1207 asks again for an expired action, as things stand now, and leads to the new card", async () => {
    const input = { robot: "arm-1", actuator: "arm" };
    const { station } = show(
      { state: "expired", mission: "patrol", input },
      fakeStation({ create_proposal: { id: "pr-2", message: "", tier: "low", tier_rule: "", expires_at: 0 } }),
    );
    fireEvent.click(screen.getByTestId("ask-again"));
    await pass(20);
    expect(station.asked.filter(({ name }) => name === "create_proposal").map((ask) => ask.input)).toEqual([
      { operation: "send_command", input, reason: "asked by dana", mission_id: "patrol", agent: "main" },
    ]);
    expect(screen.getByText("Asked again: open the new card").getAttribute("href")).toBe("/approvals/pr-2");
    expect(screen.getByTestId<HTMLButtonElement>("ask-again").disabled).toBe(true);
  });

  it.each(["rejected", "voided", "done"] as const)("U-1207 has nothing to ask again once it was %s", (state) => {
    show({ state });
    expect(screen.queryByTestId("ask-again")).toBeNull();
  });

  it("FU-06 in the dock what is approved stands with the buttons that approve it, once", () => {
    renderWith(fakeStation(), <ProposalCard proposal={proposal()} asked_ms={0} compact />);
    const decision = screen.getByTestId("decision");
    expect(decision.contains(screen.getByTestId("approve"))).toBe(true);
    expect(decision.contains(screen.getByRole("heading", { name: proposal().sentence }))).toBe(true);
  });

  it("U-1204 disables Approve again when the version changes", async () => {
    const { station, view, approve } = show();
    await pass(700);
    view.rerender(<div />);
    renderWith(station, <ProposalCard proposal={proposal({ version: 2 })} asked_ms={0} />);
    expect([approve.isConnected, screen.getByTestId<HTMLButtonElement>("approve").disabled]).toEqual([false, true]);
  });

  it("U-1205 approves exactly what was shown after a hold of 1 s", async () => {
    const { station, approve } = show();
    await pass(700);
    fireEvent.pointerDown(approve, { button: 0 });
    await pass(990);
    expect(approvals(station)).toEqual([]);
    await pass(20);
    expect(approvals(station)).toEqual([{ id: "pr-1", version: 1, action_hash: "9f86" }]);
  });

  it("does not approve when the pointer is let go early", async () => {
    const { station, approve } = show();
    await pass(700);
    fireEvent.pointerDown(approve, { button: 0 });
    await pass(500);
    fireEvent.pointerUp(approve);
    await pass(2_000);
    expect(approvals(station)).toEqual([]);
  });

  it.each(["high", "medium", "low"] as const)("U-1204 never approves tier %s on Enter", async (tier) => {
    const { station, approve } = show({ tier });
    await pass(700);
    const notPrevented = fireEvent.keyDown(approve, { key: "Enter" });
    await pass(2_000);
    expect([notPrevented, approvals(station)]).toEqual([false, []]);
  });

  it.each(["high", "medium", "low"] as const)("U-1208 approves tier %s when Space is held for 1 s", async (tier) => {
    const { station, approve } = show({ tier });
    await pass(700);
    fireEvent.keyDown(approve, { key: " " });
    await pass(1_010);
    expect(approvals(station)).toHaveLength(1);
  });

  it("takes a click where the tier allows one, and no click where it does not", async () => {
    const medium = show({ tier: "medium" });
    await pass(700);
    fireEvent.click(medium.approve, { detail: 1 });
    await pass(1);
    expect(approvals(medium.station)).toHaveLength(1);
    medium.view.unmount();
    const high = show({ tier: "high" });
    await pass(700);
    fireEvent.click(high.approve, { detail: 1 });
    await pass(1);
    expect(approvals(high.station)).toEqual([]);
  });

  it("U-1206 names why Approve may not be pressed", async () => {
    const { approve, view } = show({ state: "recheck" });
    await pass(700);
    expect([approve.disabled, view.container.textContent?.includes("State changed – re-check")]).toEqual([true, true]);
  });

  it("U-1202 lists every limit, allowed ones too, with bound, predicted and margin", () => {
    const rows = [
      itemRow("workspace"),
      itemRow("forbidden_zone", { verdict: { validator_error: "panicked" }, margin: -0.1 }),
    ];
    const { view } = show({ explanation: rows });
    const table = [...view.container.querySelectorAll("tbody tr")].map((row) =>
      [...row.querySelectorAll("td")].map((cell) => cell.textContent),
    );
    expect(table).toEqual([
      [" Allow", "Workspaceworkspace in words", "1.00 m", "0.59 m", "+0.41 m", ""],
      [" Error", "Forbidden zoneforbidden_zone in words", "1.00 m", "0.90 m", "−0.10 m", ""],
    ]);
  });

  it("U-1209 shows reported steps with their times once decided", () => {
    const steps = [
      { step: "approved", at_mono_ms: 1_000 },
      { step: "done", at_mono_ms: 1_700 },
    ] as const;
    const { view, approve } = show({ state: "done", decided_by: "dana", steps: [...steps] });
    expect([approve, view.container.textContent?.includes("done+0.7 s")]).toEqual([null, true]);
  });

  it("ML-24 names the activation that approved a step instead of a person", () => {
    const { view } = show({ state: "done", decided_by: "the activation of reach by dana" });
    expect(view.container.textContent).toContain("Approved by the activation of reach by dana");
  });

  it("says that an end is not confirmed, and how far from its goal the robot was measured", () => {
    const state_reason = "measured 0.412 m from the goal; 0.020 m is allowed";
    const steps = [{ step: "done_not_confirmed", at_mono_ms: 1_000 }] as const;
    const { view } = show({ state: "done_not_confirmed", state_reason, decided_by: "dana", steps: [...steps] });
    expect(view.container.textContent).toContain("done, NOT CONFIRMED");
    expect(view.container.textContent).toContain(state_reason);
  });

  it("U-108 names the rule that made the tier in words", () => {
    const { view } = show({ tier_rule: "margin_below_0_10_m" });
    expect(view.container.textContent).toContain("closer than 0.10 m to a limit");
  });

  it("shows a rule it has no words for by its code", () => {
    const { view } = show({ tier_rule: "full_moon" });
    expect(view.container.textContent).toContain("full moon");
  });

  it("U-1202 labels the duration of a straight-line estimate as one", () => {
    const { view } = show();
    expect(view.container.textContent).toContain("1.7 sDuration (straight-line estimate)");
  });

  it("U-1203 rejects with a reason and the words beside it", async () => {
    const { station } = show({}, fakeStation({ reject_proposal: {} }));
    fireEvent.click(screen.getByTestId("reject"));
    expect(document.activeElement).toBe(screen.getByTestId("reject-note"));
    fireEvent.change(screen.getByTestId("reject-note"), { target: { value: " door is open " } });
    fireEvent.click(screen.getByTestId("reject-unsafe"));
    await pass(1);
    expect(station.asked.filter(({ name }) => name === "reject_proposal").map(({ input }) => input)).toEqual([
      { id: "pr-1", version: 1, reason: "unsafe", note: "door is open" },
    ]);
  });

  it("U-1214 R opens the rejection, but not while somebody writes", () => {
    show();
    fireEvent.keyDown(screen.getByTestId("approve"), { key: "r" });
    const note = screen.getByTestId("reject-note");
    expect(fireEvent.keyDown(note, { key: "r" })).toBe(true);
  });

  it("says what changed since the card appeared", async () => {
    const station = fakeStation({ list_proposals: [] });
    const { rerender } = renderWith(station, <div />);
    const card = (change: Partial<Proposal>) => (
      <StationContext value={station}>
        <QueryClientProvider client={createQueryClient()}>
          <ProposalCard proposal={proposal(change)} asked_ms={0} />
        </QueryClientProvider>
      </StationContext>
    );
    rerender(card({}));
    expect(screen.queryByTestId("card-changes")).toBeNull();
    rerender(
      card({
        version: 2,
        explanation: [itemRow("workspace", { margin: 0.05 }), itemRow("max_velocity", { unit: "mps" })],
      }),
    );
    expect(screen.getByTestId("card-changes").textContent).toContain(
      "version 1 → 2Workspace manifest-workspaceAllow, 0.41 m → Allow, 0.05 m",
    );
    await pass(1);
  });
});
