import { describe, expect, it } from "vitest";
import { readable } from "./readable";

describe("FU-13 records of tools read as words in a list", () => {
  it.each([
    ['{"robot":"arm-1","state":"armed"}', "robot arm-1, state armed"],
    [
      '{"items":[{"key":"person.location","value":"hallway","age_ms":1200}],"more":false}',
      "items key person.location, value hallway, age ms 1200, more false",
    ],
    ['…,"robot":"rover-2","position_m":[2,1,0]', "…, robot rover-2, position m 2, 1, 0"],
    ['{"text":"the gate\\nis \\"open\\""}', "text the gate is open"],
  ])("%s", (json, words) => expect(readable(json)).toBe(words));

  it("leaves prose as it is", () =>
    expect(readable('He said "stop" at 12:30, to arm_1.\nThen  he left.')).toBe(
      'He said "stop" at 12:30, to arm_1. Then he left.',
    ));
});
