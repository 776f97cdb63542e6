import { describe, expect, it } from "vitest";
import type { StopDelivery } from "../generated/bindings/StopDelivery";
import { lateDelivery, type Press, pressOf } from "./stop-view";

const FAILED: Press = { state: "failed", sentence: "no answer" };
const SENDING: Press = { state: "sending" };

const delivery = (state: StopDelivery["state"], part: Partial<StopDelivery> = {}): StopDelivery => ({
  station: "lab (10.0.0.5:8420)",
  state,
  pressed_ago_ms: 4_000,
  took_ms: null,
  sentence: "no answer within 4 s",
  ...part,
});

describe("RD-04 a stop on its way to a station elsewhere", () => {
  it("is what this window knows of it where no station elsewhere is shown", () => {
    expect(pressOf(FAILED, null)).toBe(FAILED);
  });

  it("is not delivered for as long as it is tried, whatever this window has given up", () => {
    for (const press of [FAILED, SENDING, { state: "none" } as const]) {
      expect(pressOf(press, delivery("trying"))).toMatchObject({ state: "undelivered", pressed_ago_ms: 4_000 });
    }
  });

  it("is being sent while nothing has failed and the station may still answer", () => {
    expect(pressOf(SENDING, delivery("trying", { sentence: "", pressed_ago_ms: 200 }))).toBe(SENDING);
  });

  it("has failed once the station has refused it", () => {
    expect(pressOf({ state: "none" }, delivery("refused", { sentence: "no" }))).toEqual({
      state: "failed",
      sentence: "no",
    });
  });

  it("keeps what the press found where the station has refused it, so that it can become history", () => {
    const found = { newest: 41, open: true };
    expect(pressOf({ state: "failed", sentence: "no answer", found }, delivery("refused", { sentence: "no" }))).toEqual(
      {
        state: "failed",
        sentence: "no",
        found,
      },
    );
  });

  it("leaves the state to the station's reports once it is delivered or withdrawn", () => {
    expect(pressOf(FAILED, delivery("delivered", { took_ms: 9_000 }))).toEqual({ state: "none" });
    expect(pressOf(FAILED, delivery("withdrawn", { took_ms: 9_000 }))).toEqual({ state: "none" });
  });

  it("is told as late only if it was called not delivered before", () => {
    expect(lateDelivery(delivery("delivered", { took_ms: 9_000 }))).toEqual({
      station: "lab (10.0.0.5:8420)",
      took_ms: 9_000,
    });
    expect(lateDelivery(delivery("delivered", { took_ms: 20 }))).toBeNull();
    expect(lateDelivery(delivery("trying"))).toBeNull();
  });
});
