import { QueryClientProvider, useQuery } from "@tanstack/react-query";
import { act, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { HostError } from "../../host/host";
import { createQueryClient } from "../../host/query";
import { Rows } from "./Rows";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type Ask = (signal: AbortSignal) => Promise<string>;

function Names({ ask }: { ask: Ask }) {
  const query = useQuery({ queryKey: ["names"], queryFn: ({ signal }) => ask(signal) });
  return (
    <Rows query={query} what="Names">
      {(names) => <p>{names}</p>}
    </Rows>
  );
}

function show(ask: Ask) {
  const client = createQueryClient();
  render(
    <QueryClientProvider client={client}>
      <Names ask={ask} />
    </QueryClientProvider>,
  );
  return { again: () => void client.invalidateQueries() };
}

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const retry = () => screen.getByRole<HTMLButtonElement>("button", { name: "Retry" });

it("U-210 asks anew where the first answer hangs, says so, and keeps the focus on Retry", async () => {
  const asked: AbortSignal[] = [];
  show((signal) => {
    asked.push(signal);
    return asked.length === 1 ? new Promise(() => undefined) : new Promise((done) => setTimeout(done, 6_000, "arm-1"));
  });
  await pass(5_100);
  expect(screen.getByText("The station is slow to answer")).toBeTruthy();
  act(() => retry().focus());
  fireEvent.click(retry());
  await pass(100);
  expect([asked.length, asked[0]?.aborted, asked[1]?.aborted]).toEqual([2, true, false]);
  expect([screen.queryByText("Loading Names…") !== null, document.activeElement]).toEqual([true, retry()]);
  await pass(5_000);
  expect(screen.getByText("The station is slow to answer")).toBeTruthy();
  await pass(1_000);
  expect(screen.getByText("arm-1")).toBeTruthy();
});

it("U-210 says how old rows are whose newest reading failed, until one succeeds", async () => {
  let failing = false;
  const { again } = show(async () => {
    if (failing) throw new HostError("no_answer", "The station did not answer in time.");
    return "arm-1";
  });
  await pass(10);
  expect(screen.queryByTestId("rows-older")).toBeNull();
  failing = true;
  await pass(60_000);
  again();
  await pass(600);
  await pass(2_000);
  const older = screen.getByTestId("rows-older").textContent;
  expect(older).toContain("Names: last read 1 min 2 s ago, could not be read again.");
  expect(older).toContain("did not answer in time");
  expect(screen.getByText("arm-1")).toBeTruthy();
  failing = false;
  fireEvent.click(retry());
  await pass(10);
  expect([screen.queryByTestId("rows-older"), screen.getByText("arm-1").tagName]).toEqual([null, "P"]);
});
