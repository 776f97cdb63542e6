import { describe, expect, it } from "vitest";
import { StopKeys } from "./stop-keys";

type Press = { at_ms: number; key: string; ctrl?: boolean; repeat?: boolean };

function check(presses: readonly Press[], stops_at_ms: readonly number[]) {
  const keys = new StopKeys();
  const stopped = presses.filter(({ at_ms, key, ctrl = false, repeat = false }) => {
    const event = { key, ctrlKey: ctrl, shiftKey: false, altKey: false, metaKey: false, repeat };
    return keys.press(event, at_ms) === "stops";
  });
  expect(stopped.map(({ at_ms }) => at_ms)).toEqual(stops_at_ms);
}

describe("U-603 the keys of STOP ALL", () => {
  it("stops on Ctrl+.", () => check([{ at_ms: 0, key: ".", ctrl: true }], [0]));
  it("does not stop on a plain full stop", () => check([{ at_ms: 0, key: "." }], []));
  it("does nothing on key repeat", () => check([{ at_ms: 0, key: ".", ctrl: true, repeat: true }], []));
  it("does not stop on one F12", () => check([{ at_ms: 0, key: "F12" }], []));
  it("stops on F12 twice within 1 s", () =>
    check(
      [
        { at_ms: 0, key: "F12" },
        { at_ms: 1_000, key: "F12" },
      ],
      [1_000],
    ));
  it("does not stop when the second F12 is late", () =>
    check(
      [
        { at_ms: 0, key: "F12" },
        { at_ms: 1_001, key: "F12" },
      ],
      [],
    ));
  it("takes a late second F12 as a first", () =>
    check(
      [
        { at_ms: 0, key: "F12" },
        { at_ms: 1_500, key: "F12" },
        { at_ms: 2_000, key: "F12" },
      ],
      [2_000],
    ));
  it("does not take a held F12 for two", () =>
    check(
      [
        { at_ms: 0, key: "F12" },
        { at_ms: 100, key: "F12", repeat: true },
      ],
      [],
    ));
});
