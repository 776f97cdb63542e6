import { expect, it } from "vitest";
import { actOf, fieldsOf, sentenceOf } from "./record-words";

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

it("FU-29 a field's value may hold spaces, and a person's text never names a field", () => {
  const fields = fieldsOf("robot=rover-1 from=Ada Lovelace to=Bob reason=see robot=arm-1");
  expect(Object.fromEntries(fields)).toEqual({
    robot: "rover-1",
    from: "Ada Lovelace",
    to: "Bob",
    reason: "see robot=arm-1",
  });
  expect(fieldsOf("robot=arm-1 name=x robot=rover-2").get("robot")).toBe("arm-1");
});
