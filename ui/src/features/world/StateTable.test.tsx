import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { WorldRow } from "../../generated/bindings/WorldRow";
import { frame, poseSignal, worldRow } from "../../testing/fixtures";
import { fakeStation, renderWith } from "../../testing/station";
import { StatePanel } from "./StatePanel";

function show(rows: readonly WorldRow[]) {
  const station = fakeStation({ list_world_state: rows, world_history: [] });
  renderWith(station, <StatePanel selected={null} />);
  return station;
}

const keys = () => [...document.querySelectorAll("tbody th")].map((cell) => cell.textContent);
const shown = () => waitFor(() => expect(keys().length).toBeGreaterThan(0));

describe("a long state table", () => {
  it("makes only the rows in sight, and says how many there are", async () => {
    show(Array.from({ length: 2_000 }, (_, n) => worldRow(`k${String(n).padStart(4, "0")}`)));
    await shown();
    const count = document.querySelector("table")?.getAttribute("aria-rowcount");
    expect([keys().length < 100, keys()[0], count]).toEqual([true, "k0000", "2001"]);
  });
});

describe("which entries are shown", () => {
  const rows = [
    worldRow("a"),
    worldRow("b", { freshness: "stale" }),
    worldRow("c", { contested: true }),
    worldRow("d", { trust: "text" }),
    worldRow("e", { value: null, age_ms: null, updated_at: null, freshness: "never" }),
  ];
  const check = (kind: string, wanted: readonly string[]) => {
    fireEvent.change(screen.getByTestId("world-kind"), { target: { value: kind } });
    expect(keys().map((key) => key?.[0])).toEqual(wanted);
  };

  it("follows freshness, contest and trust", async () => {
    show(rows);
    await shown();
    check("current", ["a", "c", "d"]);
    check("old", ["b", "e"]);
    check("contested", ["c"]);
    check("text", ["d"]);
    fireEvent.click(screen.getByText("Show all"));
    expect(keys()).toHaveLength(5);
  });

  it("keeps the focus in the table when an entry grows old beside it", async () => {
    const fresh = ["a", "b"].map((key) => worldRow(key));
    const station = show(fresh);
    await shown();
    fireEvent.change(screen.getByTestId("world-kind"), { target: { value: "current" } });
    const link = screen.getByRole("link", { name: "a" });
    link.focus();
    const old = { ...poseSignal("x", [0, 0, 0]), id: "world/main/b", value: "kitchen", observed_mono_ms: 0 };
    act(() => station.store.applyFrame(frame({ signals: [old] }), performance.now()));
    expect([keys().map((key) => key?.[0]), document.activeElement === link]).toEqual([["a"], true]);
  });

  it("WS-07 says that a key never had a value", async () => {
    show(rows);
    expect((await screen.findByTestId("world-row-e")).textContent).toContain("no data yet");
  });
});
