import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import type { JobRunRow } from "../../generated/bindings/JobRunRow";
import { RunTable } from "./RunTable";

const run = (id: string, cost_microusd: number | null): JobRunRow => ({
  id,
  due_at: 1_772_990_000,
  attempt: 1,
  started_at: 1_772_990_000,
  ended_at: 1_772_990_002,
  outcome: "completed",
  late: false,
  turn: null,
  actuated: false,
  error: null,
  proposal: null,
  cost_microusd,
});

it("K-01 shows no cost as nothing", () => {
  render(<RunTable runs={[run("a", 20), run("b", 1_240_000), run("c", null)]} time_zone="UTC" />);
  const costs = screen.getAllByRole("row").map((row) => row.querySelectorAll("td")[4]?.textContent);
  expect(costs.slice(1)).toEqual(["$0.00002", "$1.24", "–"]);
});
