import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import type { Verdict } from "../../generated/bindings/Verdict";
import { itemRow, proposal } from "../../testing/fixtures";
import { fakeStation, renderWith } from "../../testing/station";
import { ReplanButton } from "./ReplanButton";

const verdict = { ...proposal().verdict, speed_allowed_mps: 0.1 } as Verdict;
const COMMAND = { robot: "arm-1", actuator: "arm", motion: { pose_goal: { position_m: [1, 0, 1], speed_mps: 0.5 } } };

async function plan(leave: boolean) {
  let answer: (answered: unknown) => void = () => undefined;
  const station = fakeStation({ check_command: () => new Promise((done) => (answer = done)) });
  const onReplan = vi.fn();
  const rows = [itemRow("max_velocity", { verdict: "deny" })];
  const view = renderWith(
    station,
    <ReplanButton command={COMMAND} verdict={verdict} rows={rows} onReplan={onReplan} />,
  );
  fireEvent.click(screen.getByTestId("replan"));
  await waitFor(() => expect(station.asked).toHaveLength(1));
  if (leave) view.unmount();
  await act(async () => answer({ verdict: { ...verdict, overall: "allow" }, explanation: [] }));
  await view.settled();
  return onReplan;
}

it("a plan is put before the operator who waits for it", async () => expect(await plan(false)).toHaveBeenCalledOnce());
it("a plan that is ready after its screen was left overwrites no draft", async () =>
  expect(await plan(true)).not.toHaveBeenCalled());
