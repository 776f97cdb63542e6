import { afterEach, describe, expect, it } from "vitest";
import { speak } from "../locales/i18n";
import { stop } from "../testing/fixtures";
import { newsOf } from "./news";

const AT = { code: "stop_all", sentence: "rover-2: STOP ALL was pressed.", at_mono_ms: 1_000 };
const at = (now_ms: number) => ({ now_ms, wall_ms: null, local_ms: 0, silent_ms: 0, lost: false });

describe("FU-10 the newest event in the status bar", () => {
  it("of a stop is said while it is open, and not after its release", () => {
    expect(newsOf({ lastEvent: AT, time: at(2_000), stops: [stop(1, [])] })).toBe(AT.sentence);
    expect(newsOf({ lastEvent: AT, time: at(2_000), stops: [] })).toBeNull();
    expect(newsOf({ lastEvent: AT, time: at(2_000), stops: [stop(1, [], { open: false })] })).toBeNull();
  });
  it("is said for half a minute", () => {
    const lastEvent = { ...AT, code: "gate_open" };
    expect(newsOf({ lastEvent, time: at(31_000), stops: [] })).toBe(AT.sentence);
    expect(newsOf({ lastEvent, time: at(31_001), stops: [] })).toBeNull();
  });
  it("is said in the window's language where the station's code has words there", async () => {
    await speak("de");
    const lastEvent = { ...AT, code: "simulator_ended" };
    expect(newsOf({ lastEvent, time: at(2_000), stops: [] })).toBe("Der Simulator hat sich beendet");
    expect(newsOf({ lastEvent: { ...AT, code: "gate_open" }, time: at(2_000), stops: [] })).toBe(AT.sentence);
  });
  afterEach(() => speak("en"));
});
