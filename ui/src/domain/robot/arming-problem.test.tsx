import { describe, expect, it } from "vitest";
import type { ArmingHindrance } from "../../generated/bindings/ArmingHindrance";
import { armingSaid } from "./arming-problem";
import { inGerman } from "../../testing/german";

const said = (arming_hindrance: ArmingHindrance | null, arming_problem: string | null = "In English.") =>
  armingSaid({ arming_problem, arming_hindrance });

describe("U-2006 why a robot cannot be armed, in German", () => {
  inGerman();

  it.each([
    [{ code: "cause", cause: "stop_all" }, "STOP ALL wurde gedrückt."],
    [
      { code: "empty_set", actuator: "arm", missing: "max_velocity" },
      "Aktor arm fehlt eine Grenze der Art Geschwindigkeit",
    ],
    [{ code: "pose_violates", constraint: "con-3" }, "der Roboter ist, wo con-3 ihn nicht erlaubt"],
    [
      { code: "not_commissioned", step: "axis_x" },
      "er ist nicht in Betrieb genommen: Der Schritt „Richtung entlang x“ fehlt",
    ],
    [{ code: "not_commissioned", step: null }, "er ist nicht in Betrieb genommen"],
    [{ code: "no_answer" }, "der Roboter antwortet nicht"],
    [{ code: "nothing_heard" }, "vom Roboter war noch nichts zu hören"],
  ] satisfies [ArmingHindrance, string][])("says %o", (hindrance, text) =>
    expect(said(hindrance)).toEqual({ text, more: null }),
  );

  it("keeps the station's sentence where it names the source", () =>
    expect(said({ code: "source_silent" }, "the pose on a/b is 3 s old")).toEqual({
      text: "eine Quelle seines Zustands schweigt",
      more: "the pose on a/b is 3 s old",
    }));

  it("is silent of a robot that can be armed", () => expect(said(null, null)).toBeNull());
});

it("U-2006 in English the station's own sentence stands", () =>
  expect(said({ code: "no_answer" }, "the robot does not answer")).toEqual({
    text: "the robot does not answer",
    more: null,
  }));
