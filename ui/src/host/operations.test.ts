import { expect, test } from "vitest";
import { aboutAgent, canAsk } from "./operations";

test("a robot is handed to the agent that the window shows, whichever others there are", () => {
  expect(aboutAgent("hand_to_agent", { robot: "arm-1" }, "night")).toEqual({ robot: "arm-1", agent: "night" });
  expect(canAsk("hand_to_agent", null)).toBe(false);
});

test("a stop is about no agent and waits for none", () => {
  expect(aboutAgent("stop_robot", { robot: "arm-1" }, "night")).toEqual({ robot: "arm-1" });
  expect(canAsk("stop_robot", null)).toBe(true);
});

test("a call that names its agent is about that one, whichever the window shows", () => {
  expect(aboutAgent("get_mission", { mission_id: "dock", agent: "night" }, "main")).toEqual({
    mission_id: "dock",
    agent: "night",
  });
});
