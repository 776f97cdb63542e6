import { describe, expect, it } from "vitest";
import { alarmRow } from "../../testing/fixtures";
import { callsForSomebody, worstUnacknowledged } from "./alarm-state";
import { alarmTitle } from "./alarm-title";

const lost = (state: "unack_active" | "unack_returned", id = "a") =>
  alarmRow(id, { priority: 2, state, message: "rover-2 no longer answers." });

describe("FU-10 an alarm that has returned to normal", () => {
  it("does not read as present", () => {
    expect(alarmTitle(lost("unack_active"))).toBe("rover-2 no longer answers.");
    expect(alarmTitle(lost("unack_returned"))).toBe("Cleared: rover-2 no longer answers.");
  });
  it("does not blink", () =>
    expect([callsForSomebody(lost("unack_active")), callsForSomebody(lost("unack_returned"))]).toEqual([true, false]));
  it("gives way to one that is still present", () => {
    const present = alarmRow("b", { priority: 3 });
    expect(worstUnacknowledged([lost("unack_returned"), present])?.id).toBe("b");
    expect(worstUnacknowledged([lost("unack_returned")])?.id).toBe("a");
  });
});
