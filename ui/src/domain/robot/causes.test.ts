import { expect, it } from "vitest";
import { causeRow } from "../../testing/fixtures";
import { hardestFirst } from "./causes";

it("U-707 what takes most to end comes first, and of equals what came first", () => {
  const causes = [
    causeRow({ cause: "pose_stale", clears: "when_condition_clears", since_mono_ms: 1 }),
    causeRow({ cause: "hold_requested", since_mono_ms: 4 }),
    causeRow({ cause: "sensor_frozen", since_mono_ms: 3 }),
    causeRow({ cause: "stop_unconfirmed", clears: "on_disarm", since_mono_ms: 5 }),
    causeRow({ cause: "state_fault", clears: "never", since_mono_ms: 6 }),
    causeRow({ cause: "stop_all", clears: "on_release", since_mono_ms: 2 }),
  ];
  const order = ["state_fault", "stop_unconfirmed", "sensor_frozen", "hold_requested", "stop_all", "pose_stale"];
  expect(hardestFirst(causes).map(({ cause }) => cause)).toEqual(order);
});
