import { expect, test } from "vitest";
import { modeKind, modeMission } from "./agent-mode";

test("P-14: a mode that names its mission is one of four", () => {
  expect([modeKind("watch"), modeKind("run:patrol")]).toEqual(["watch", "run"]);
  expect([modeMission("ask"), modeMission("run:patrol")]).toEqual([null, "patrol"]);
});
