import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ItemRow } from "../../generated/bindings/ItemRow";
import type { Reason } from "../../generated/bindings/Reason";
import type { Verdict } from "../../generated/bindings/Verdict";
import type { VerdictItem } from "../../generated/bindings/VerdictItem";
import { everyWord } from "../../host/variants";
import { speak } from "../../locales/i18n";
import { itemRow } from "../../testing/fixtures";
import { itemSaid, verdictSaid } from "./item-words";

const denied = (change: Partial<VerdictItem>): ItemRow =>
  itemRow(change.kind ?? "workspace", { verdict: "deny", ...change });
const said = (change: Partial<VerdictItem>) => itemSaid(denied(change)).text;
const OVER = denied({
  limit: 1,
  predicted: 2,
  margin: -1.09,
  reason: { code: "workspace", args: { axis: "x", inflation_m: 0.09 } },
});
const UNARMED = denied({
  kind: "precondition",
  limit: null,
  predicted: null,
  margin: null,
  reason: { code: "not_armed", args: {} },
});
// Only these fields decide what is said.
const verdict = (change: Partial<Verdict> = {}) => ({ overall: "deny", violations_total: 2, ...change }) as Verdict;

const REASONS = everyWord<Reason>({
  non_finite: true,
  bad_arity: true,
  bad_orientation: true,
  schema: true,
  too_large: true,
  sequence: true,
  replay: true,
  expired: true,
  rate_limited: true,
  unknown_actuator: true,
  joint_names: true,
  not_provable: true,
  missing_velocity: true,
  missing_force: true,
  velocity: true,
  force: true,
  workspace: true,
  forbidden_zone: true,
  keep_out: true,
  stopping_distance: true,
  approach_speed: true,
  acceleration: true,
  goal_jump: true,
  joint_limit: true,
  frame_mismatch: true,
  stale_transform: true,
  no_fresh_pose: true,
  implausible: true,
  lease: true,
  arbitration: true,
  not_armed: true,
  latched: true,
  stale_set: true,
  empty_set: true,
  audit_unavailable: true,
  approval_missing: true,
  approval_void: true,
  deadline: true,
  not_commissioned: true,
  keeps_moving: true,
});

describe("U-108 U-2006 a denial in German", () => {
  beforeEach(() => speak("de"));
  afterEach(() => speak("en"));

  it("has words for every reason of the safety engine", () => {
    const args = { axis: "x", joint: "elbow", speed_mps: 0.5 } as const;
    expect(REASONS.filter((code) => itemSaid(denied({ reason: { code, args } })).text.includes("in words"))).toEqual(
      [],
    );
  });

  it("says by how much a limit is passed, in numbers that add up", () => {
    expect(itemSaid(OVER)).toEqual({
      text: "Arbeitsraum x 2.00 m, Grenze 1.00 m: mit 0.09 m für Körper, Fehler und Abstand um 1.09 m überschritten.",
      more: null,
    });
    expect(
      said({
        kind: "max_velocity",
        unit: "mps",
        limit: 0.25,
        predicted: 0.254,
        margin: -0.004,
        reason: { code: "velocity", args: {} },
      }),
    ).toBe("Geschwindigkeit 0.254 m/s, Grenze 0.250 m/s: um 0.004 m/s zu hoch.");
  });

  it("tells what is too near from what is inside", () => {
    const box = (predicted: number) =>
      said({
        kind: "keep_out_box",
        constraint: "shelf",
        limit: 0.3,
        predicted,
        margin: predicted - 0.3,
        reason: { code: "keep_out", args: {} },
      });
    expect(box(0.1)).toBe(
      "Der Weg führt 0.10 m an Sperrquader shelf vorbei, nötig sind 0.30 m (Körper, Fehler und Abstand).",
    );
    expect(box(-0.2)).toBe("Der Weg führt 0.20 m in Sperrquader shelf hinein.");
    expect(
      said({
        limit: 1,
        predicted: 0.95,
        margin: -0.04,
        reason: { code: "workspace", args: { axis: "y", inflation_m: 0.09 } },
      }),
    ).toBe("Arbeitsraum y 0.95 m: nur 0.05 m bis zur Grenze 1.00 m, nötig sind 0.09 m (Körper, Fehler und Abstand).");
  });

  it("names who has what is needed, where that is known", () => {
    expect(said({ reason: { code: "arbitration", args: { owner: "ada" } } })).toBe("ada steuert den Roboter.");
    expect(said({ reason: { code: "arbitration", args: { owner: "nobody" } } })).toBe("Niemand steuert den Roboter.");
    expect(said({ reason: { code: "arbitration", args: {} } })).toBe("Jemand anders steuert den Roboter.");
  });

  it("keeps the station's sentence where it says what has to be done", () =>
    expect(itemSaid(denied({ reason: { code: "not_commissioned", args: { expected: "step 3" } } })).more).toBe(
      "workspace in words",
    ));

  it("is the decision, then every violation", () => {
    expect(verdictSaid("Denied: …", verdict(), [OVER, UNARMED, itemRow("max_velocity")])).toEqual({
      text: `Verweigert: ${itemSaid(OVER).text} Der Roboter ist nicht scharf.`,
      more: null,
    });
    expect(verdictSaid("Denied: …", verdict({ violations_total: 9 }), [UNARMED]).text).toBe(
      "Verweigert: Der Roboter ist nicht scharf. Weitere Verletzungen sind nicht aufgeführt.",
    );
    expect(
      verdictSaid("Denied.", verdict({ overall: { validator_error: "clock_failed" } }), [
        denied({ verdict: { validator_error: "clock_failed" } }),
      ]).text,
    ).toBe("Verweigert: Die Uhr der Station gab keine Zeit. Weitere Verletzungen sind nicht aufgeführt.");
    expect(verdictSaid("Allowed.", verdict({ overall: "allow" }), [itemRow("workspace")]).text).toBe(
      "Zulässig: Jede Grenze ist eingehalten.",
    );
  });

  it("says how much room is left under a limit that holds", () => {
    expect(itemSaid(itemRow("workspace")).text).toBe("0.41 m Abstand.");
    expect(itemSaid(itemRow("max_force", { predicted: null, margin: null })).text).toBe(
      "betrifft diese Bewegung nicht.",
    );
  });

  it("is the station's own sentence in English", async () => {
    await speak("en");
    expect(itemSaid(OVER)).toEqual({ text: "workspace in words", more: null });
    expect(verdictSaid("Denied: …", verdict(), [OVER])).toEqual({ text: "Denied: …", more: null });
  });
});
