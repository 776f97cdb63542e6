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

/** With a station elsewhere in the window. */
const shows = (address: string, fingerprint = "aa") =>
  status({
    remote: { station: { name: "hall", address, fingerprint }, token_kept: true, link: { state: "up" } },
  });

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
  open[0]?.answer(shows("10.0.0.2"));
  await seen;
  const gone = desk.act({ act: "status" });
  open[1]?.answer(status());
  await gone;
  expect(onOther).toHaveBeenCalledOnce();
});

it.each([
  ["asked for before this page was loaded", status(), shows("10.0.0.2"), 1],
  ["at another address", shows("10.0.0.2"), shows("10.0.0.3"), 1],
  ["behind the same address", shows("10.0.0.2", "aa"), shows("10.0.0.2", "bb"), 1],
  ["that is the same", shows("10.0.0.2"), shows("10.0.0.2"), 0],
])("a look that finds a station %s begins anew only with another one", async (_, first, second, times) => {
  const { desk, open, onOther } = slowDesk();
  const looks = async (answer: DeskStatus) => {
    const look = desk.act({ act: "status" });
    open.at(-1)?.answer(answer);
    await look;
  };
  await looks(first);
  await looks(second);
  expect(onOther).toHaveBeenCalledTimes(times);
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
