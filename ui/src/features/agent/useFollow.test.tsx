import { act, render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { useFollow } from "./useFollow";

function Log({ said, first = null }: { said: number | null; first?: number | null }) {
  const { frame, content, away } = useFollow(said, first);
  return (
    <div ref={frame} data-testid="log" data-away={away}>
      <div ref={content} />
    </div>
  );
}

/** A log of 900 px in a frame of 300 px, read from the top. */
function readUp(said: number | null) {
  const view = render(<Log said={said} first={103} />);
  const log = screen.getByTestId("log");
  Object.defineProperties(log, { scrollHeight: { value: 900, writable: true }, clientHeight: { value: 300 } });
  log.scrollTop = 0;
  act(() => void log.dispatchEvent(new Event("scroll")));
  expect(log.dataset["away"]).toBe("true");
  return { ...view, log };
}

it("FU-19 whoever says something sees the end, where the answer comes", () => {
  const { rerender, log } = readUp(7);
  rerender(<Log said={9} first={103} />);
  expect(log.scrollTop).toBe(900);
});

it("U-909 what others say moves nobody who reads further up", () => {
  const { rerender, log } = readUp(7);
  rerender(<Log said={7} first={103} />);
  expect(log.scrollTop).toBe(0);
});

it("U-909 older entries above leave the reader at the one they read", () => {
  const { rerender, log } = readUp(7);
  Object.assign(log, { scrollHeight: 1_600 });
  rerender(<Log said={7} first={3} />);
  expect(log.scrollTop).toBe(700);
});

it("U-909 a new message that takes the place of the oldest moves nobody who reads further up", () => {
  const { rerender, log } = readUp(7);
  Object.assign(log, { scrollHeight: 960 });
  rerender(<Log said={7} first={104} />);
  expect(log.scrollTop).toBe(0);
});
