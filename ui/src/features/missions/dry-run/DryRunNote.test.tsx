import { fireEvent, screen, waitFor } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import type { MissionDetail } from "../../../generated/bindings/MissionDetail";
import type { MissionDryStale } from "../../../generated/bindings/MissionDryStale";
import { DETAIL } from "../../../testing/missions";
import { fakeStation, renderWith } from "../../../testing/station";
import { ActivationDialog } from "../ActivationDialog";
import type { Activation } from "../useMissionActs";

vi.mock("../MissionCompare", () => ({ MissionCompare: () => null }));

const draft: MissionDetail = { ...DETAIL, status: "draft", state: "draft", activated_source: null };
const outcome = (hash: string | null) => ({
  id: "dry-1",
  hash,
  at_ms: 1,
  ok: false,
  sentence: "Goal 2 would be denied.",
});

function show(mission: MissionDetail, hash: string | null) {
  const onActivate = vi.fn<(activation: Activation) => void>();
  const station = fakeStation({ dry_run_mission: outcome(hash) }, { role: "operator" });
  renderWith(
    station,
    <ActivationDialog
      textProblem={null}
      mission={mission}
      pending={false}
      error={null}
      onActivate={onActivate}
      onClose={() => {}}
    />,
  );
  return onActivate;
}

const act = () => screen.getByTestId<HTMLButtonElement>("activation-yes");

describe("ME-13 the dry run beside an activation", () => {
  it("is missing at first, is made there, and shuts the act for a moment as any change of the dialog does", async () => {
    show(draft, draft.hash);
    const note = screen.getByTestId("activation-dry-run");
    expect(note.textContent).toContain("This text was not run dry.");
    await waitFor(() => expect(act().disabled).toBe(false));
    fireEvent.click(screen.getByTestId("activation-dry-run-start"));
    await waitFor(() => expect(note.textContent).toContain("Dry run: Goal 2 would be denied."));
    expect(act().disabled).toBe(true);
    await waitFor(() => expect(act().disabled).toBe(false));
  });

  it("ML-02 is named by the activation of whoever saw it, and by no other", async () => {
    const onActivate = show(draft, draft.hash);
    await waitFor(() => expect(act().disabled).toBe(false));
    fireEvent.click(act(), { detail: 1 });
    fireEvent.click(screen.getByTestId("activation-dry-run-start"));
    await screen.findByText("Dry run: Goal 2 would be denied.");
    await waitFor(() => expect(act().disabled).toBe(false));
    fireEvent.click(act(), { detail: 1 });
    expect(onActivate.mock.calls.map(([{ dryRun }]) => dryRun)).toEqual([null, "dry-1"]);
  });

  it("counts for its own text alone", async () => {
    const onActivate = show(draft, "another");
    fireEvent.click(screen.getByTestId("activation-dry-run-start"));
    const start = () => screen.getByTestId<HTMLButtonElement>("activation-dry-run-start");
    await waitFor(() => expect(start().disabled).toBe(false));
    await screen.findByTestId("dry-record-stale");
    expect(screen.getByTestId("dry-record-stale").textContent).toBe("It is of another text.");
    await waitFor(() => expect(act().disabled).toBe(false));
    fireEvent.click(act(), { detail: 1 });
    expect(onActivate.mock.calls[0]?.[0].dryRun).toBeNull();
  });

  it.each<[MissionDryStale, string]>([
    [{ cause: "limits", robot: "rover-1" }, "rover-1 has other limits since."],
    [{ cause: "manifest", robot: "rover-1" }, "rover-1 has another manifest since, or is gone."],
  ])("MO-20 is the one that the station keeps, and says that it holds no more", (stale, words) => {
    const { hash } = draft;
    const kept = { id: "dry-0", hash: hash ?? "", at_ms: 0, ok: true, sentence: "Every step would be allowed." };
    show({ ...draft, dry_run: { ...kept, stale: [stale] } }, hash);
    const note = screen.getByTestId("activation-dry-run");
    expect(note.textContent).toContain("Dry run: Every step would be allowed.");
    expect(note.textContent).toContain(words);
    expect(screen.getByTestId("activation-dry-run-start").textContent).toBe("Run again");
  });

  it("is not asked for where no robot is named", () => {
    show({ ...draft, robots: [] }, draft.hash);
    expect(screen.queryByTestId("activation-dry-run")).toBeNull();
  });
});
