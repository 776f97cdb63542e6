import { render, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { AgentRow } from "../../generated/bindings/AgentRow";
import { leftOf, ModelReading } from "./ModelReading";

const show = (row: Partial<AgentRow>) => render(<ModelReading row={row as AgentRow} />);
const READ = { tokens: 8_000, cached: 1_000, done: 3_000, elapsed_ms: 4_000 };

describe("FP-18 a model that reads a long prompt", () => {
  it("shows how far it is and how long it will take", () => {
    show({ reading: { warm_up: false, read: READ } });
    const bar = screen.getByRole<HTMLProgressElement>("progressbar", { name: "Reading the prompt" });
    expect([bar.value, bar.max]).toEqual([3_000, 8_000]);
    expect(screen.getByTestId("agent-reading").textContent).toBe(
      "Reading the prompt3,000 of 8,000 tokens · about 10 s left",
    );
  });

  it("is seen to warm up, also where the server does not say how far", () => {
    show({ reading: { warm_up: true, read: null } });
    expect(screen.getByRole("progressbar", { name: "Warming up" }).hasAttribute("value")).toBe(false);
    expect(screen.getByTestId("agent-reading").textContent).toBe("Warming up");
  });

  it("says why it has few tools", () => {
    show({ compact: "slow_reading" });
    const said = screen.getByTestId("agent-compact");
    expect([said.textContent, said.title]).toEqual([
      "compact tools: slow reading",
      "It reads fewer than 300 tokens per second, as measured. It is offered only the tools that are always declared, with short descriptions.",
    ]);
  });

  it("says nothing where it reads nothing and has all tools", () => {
    const { container } = show({});
    expect(container.textContent).toBe("");
  });

  it.each([
    [READ, 10_000],
    [{ ...READ, done: 1_000 }, null],
    [{ ...READ, done: 8_000 }, 0],
  ])("%j leaves %s ms", (read, left_ms) => expect(leftOf(read)).toBe(left_ms));
});
