import { expect, it } from "vitest";
import { inputFields } from "./input-fields";

const said = (input: unknown) => inputFields(input).map(({ name, text }) => `${name}: ${text}`);

it("an operation's input reads in words and units", () => {
  expect(said({ robot: "rover-1", speed_mps: 0.25, grace_secs: 600, goal: { position_m: [0.5, 0, 1] } })).toEqual([
    "robot: rover-1",
    "speed: 0.25 m/s",
    "grace: 10 min 0 s",
    "position: (0.5; 0; 1) m",
  ]);
});

it("lists, switches and what has no unit stand as they are", () => {
  expect(said({ robots: ["arm-1", "rover-1"], on: true, count: 3, target: [{ x: 1 }] })).toEqual([
    "robots: arm-1, rover-1",
    "on: yes",
    "count: 3",
    'target: [{"x":1}]',
  ]);
  expect(said({ on: false, reason: null })).toEqual(["on: no", "reason: –"]);
  expect(said(null)).toEqual([]);
});
