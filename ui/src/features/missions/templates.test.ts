import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { TEMPLATES } from "./templates";

it("ME-05 the templates of the window are those of the station", () => {
  const source = readFileSync(new URL("../../../../crates/missions/src/templates.rs", import.meta.url), "utf8");
  const names = [...source.matchAll(/\("([a-z-]+)", include_str!/gu)].map(([, name]) => name);
  expect(Object.values(TEMPLATES)).toEqual(names);
});
