import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { DeskAct } from "../generated/bindings/DeskAct";
import type { DeskStatus } from "../generated/bindings/DeskStatus";
import { Desk } from "./desk";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const status = (change: Partial<DeskStatus> = {}): DeskStatus => ({
  remote: null,
  stations: [],
  stop: null,
  looked: null,
  ...change,
});
const STOP = { address: "10.0.0.2" } as unknown as DeskStatus["stop"];

/** A desk whose shell answers when the test says so. */
function slowDesk() {
  const open: { act: DeskAct["act"]; answer: (status: DeskStatus) => void }[] = [];
  const onOther = vi.fn();
  const desk = new Desk(({ act }) => new Promise((answer) => open.push({ act, answer })), onOther);
  return { desk, open, onOther };
}

it("does not fall back to a look from before an act", async () => {
  const { desk, open } = slowDesk();
  const look = desk.act({ act: "status" });
  const withdrawn = desk.act({ act: "withdraw_stop" });
  open[1]?.answer(status());
  await withdrawn;
  open[0]?.answer(status({ stop: STOP }));
  await look;
  expect(desk.status?.stop).toBeNull();
});

it("asks a shell that is busy once", async () => {
  const { desk, open } = slowDesk();
  const end = desk.start();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(open).toHaveLength(1);
  open[0]?.answer(status());
  await vi.advanceTimersByTimeAsync(500);
  expect(open).toHaveLength(2);
  end();
});

it("begins anew once the station that was shown is gone", async () => {
  const { desk, open, onOther } = slowDesk();
  const seen = desk.act({ act: "status" });
  open[0]?.answer(status({ remote: { station: {}, link: { state: "up" } } as unknown as DeskStatus["remote"] }));
  await seen;
  const gone = desk.act({ act: "status" });
  open[1]?.answer(status());
  await gone;
  expect(onOther).toHaveBeenCalledOnce();
});

it("begins anew with another station also where a later look was answered first", async () => {
  const { desk, open, onOther } = slowDesk();
  const connected = desk.act({ act: "open", address: "10.0.0.2" });
  const look = desk.act({ act: "status" });
  open[1]?.answer(status());
  await look;
  open[0]?.answer(status());
  await connected;
  expect(onOther).toHaveBeenCalledOnce();
});
