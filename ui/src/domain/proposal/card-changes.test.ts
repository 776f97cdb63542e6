import { expect, it } from "vitest";
import type { Proposal } from "../../generated/bindings/Proposal";
import { itemRow, proposal } from "../../testing/fixtures";
import { changesBetween } from "./card-changes";

const FACT = { key: "arm-1.pose", value: "(0.30, 0.00, 0.80) m in base_link", age_ms: 12, freshness: "live" } as const;
const BEFORE = proposal({ facts: [FACT] });

function check(change: Partial<Proposal>, changes: readonly (readonly [string, string, string])[]) {
  const found = changesBetween(BEFORE, proposal({ facts: [FACT], version: 2, ...change }));
  expect(found.map(({ name, before, after }) => [name, before, after])).toEqual(changes);
}

it("a new version that shows the same has no changes", () => check({}, []));
it("an older fact is no change", () => check({ facts: [{ ...FACT, age_ms: 900 }] }, []));
it("another fact is", () =>
  check({ facts: [{ ...FACT, value: "(0.35, 0.00, 0.80) m in base_link" }] }, [
    ["arm-1.pose", FACT.value, "(0.35, 0.00, 0.80) m in base_link"],
  ]));
it("another margin and verdict of a limit is", () =>
  check(
    {
      explanation: [itemRow("workspace", { verdict: "deny", margin: -0.1 }), itemRow("max_velocity", { unit: "mps" })],
    },
    [["Workspace manifest-workspace", "Allow, 0.41 m", "Deny, −0.10 m"]],
  ));
it("another margin of the first of two rows with one name is", () => {
  const rows = (margin: number) => [itemRow("max_force", { unit: "n", margin }), itemRow("max_force", { unit: "n" })];
  const found = changesBetween(proposal({ explanation: rows(3) }), proposal({ explanation: rows(1) }));
  expect(found.map(({ before, after }) => [before, after])).toEqual([
    ["Allow, 3.0 N; Allow, 0.4 N", "Allow, 1.0 N; Allow, 0.4 N"],
  ]);
});
it("another duration of the motion is", () => {
  const slow = { ...(BEFORE.preview ?? never()), duration_s: 9.5 };
  expect(changesBetween(BEFORE, proposal({ facts: [FACT], preview: slow })).map(({ after }) => after)).toEqual([
    "9.5 s",
  ]);
});
it("a limit that is new is", () =>
  check({ explanation: [...BEFORE.explanation, itemRow("max_force", { unit: "n" })] }, [
    ["Force manifest-max_force", "none", "Allow, 0.4 N"],
  ]));
it("another start of the way is", () =>
  check({ preview: { ...(BEFORE.preview ?? never()), from: [0.35, 0, 0.8] } }, [
    ["Now", "(0.30, 0.00, 0.80) m", "(0.35, 0.00, 0.80) m"],
  ]));

function never(): never {
  throw new Error("the fixture has a preview");
}
