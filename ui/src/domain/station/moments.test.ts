import { expect, it } from "vitest";
import { momentOf } from "./moments";

const path = (operation: string, outcome: string, detail: string) =>
  momentOf({ at_wall: 1, operation, outcome, detail })?.path;

it("a moment leads to what it is about", () => {
  expect([
    path("verdict", "deny", "robot=arm-1 violated=workspace"),
    path("approval", "ok", "id=pr-1"),
    path("activate_mission", "ok", "mission_id=patrol"),
  ]).toEqual(["/safety/arm-1", "/approvals/pr-1", "/missions/patrol"]);
});

it("a record that does not say what it is about leads to the list, and no id breaks out of its place", () => {
  expect([
    path("verdict", "deny", ""),
    path("approval", "ok", ""),
    path("activate_mission", "ok", ""),
    path("proposal", "rejected", "id=a/../b"),
  ]).toEqual(["/safety", "/approvals", "/missions", "/approvals/a%2F..%2Fb"]);
});
