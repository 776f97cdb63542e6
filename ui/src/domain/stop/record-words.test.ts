import { expect, it } from "vitest";
import { actOf, sentenceOf } from "./record-words";

const record = (actor: string, operation: string, outcome: string, detail: string) => ({
  actor,
  operation,
  outcome,
  detail,
});

it("FU-29 what the station and a robot did reads as a sentence", () => {
  const said = (outcome: string, step: string) =>
    sentenceOf(record("station", "fallback", outcome, `robot=rover-1 class=link step=${step}`));
  expect(said("begun", "stop_actuators")).toBe("The station stopped rover-1 again");
  expect(said("failed", "stop_actuators")).toBe("rover-1 was not seen to stop");
  expect(said("done", "halt_and_wait")).toBe("rover-1 is latched until a person releases it");
  expect(said("begun", "something_new")).toBeNull();
  expect(sentenceOf(record("arm-1", "report", "failed", "command=1"))).toBe("The motion of arm-1 was cut short");
  expect(sentenceOf(record("station", "report", "unknown", "robot=arm-1"))).toBe(
    "The motion of arm-1 has an unknown outcome",
  );
});

it("FU-29 what a person did reads as an act, without underscores", () => {
  expect(sentenceOf(record("dana", "arm_robot", "stop_latched", ""))).toBeNull();
  expect(actOf({ operation: "arm_robot", outcome: "stop_latched" })).toBe("arm robot: stop latched");
  expect(actOf({ operation: "arm_robot", outcome: "ok" })).toBe("arm robot");
});
