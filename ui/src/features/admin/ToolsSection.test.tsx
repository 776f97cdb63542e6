import { act, fireEvent, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import type { McpToolRow } from "../../generated/bindings/McpToolRow";
import { fakeStation, renderWith } from "../../testing/station";
import { ToolsSection } from "./ToolsSection";

const TOOL: McpToolRow = {
  name: "depot__read",
  tool: "read",
  description: "Reads a shelf.",
  state: "new",
  problem: null,
  effect: null,
  hash: "abcdef0123456789",
  form: '{"name":"read"}',
  pinned_form: null,
};

async function show(role: "admin" | "operator" = "admin") {
  let tool = TOOL;
  const server = {
    id: "depot",
    command: ["/usr/bin/depot"],
    program_folders: [],
    url: null,
    trusted: false,
    state: "ready",
    reason: null,
  };
  const station = fakeStation(
    { list_mcp_servers: () => [{ ...server, tools: [tool] }], pin_mcp_tool: { message: "done" } },
    { role },
  );
  const { queries, settled } = renderWith(station, <ToolsSection />);
  await settled();
  const change = async (part: Partial<McpToolRow>) => {
    tool = { ...tool, ...part };
    await act(() => queries.invalidateQueries({ queryKey: ["tools"] }));
    await settled();
  };
  return { station, change, settled };
}

const effect = () => screen.getByLabelText<HTMLSelectElement>("What it does");

it("P-03 a form that changes under the hand is not pinned with the effect chosen for another one", async () => {
  const { station, change, settled } = await show();
  fireEvent.change(effect(), { target: { value: "read" } });
  await change({ hash: "fedcba9876543210", form: '{"name":"read","deletes":true}' });
  expect(effect().value).toBe("");
  fireEvent.click(screen.getByTestId("pin-depot__read"));
  await settled();
  const pinned = station.asked.filter(({ name }) => name === "pin_mcp_tool").map(({ input }) => input);
  expect(pinned).toEqual([{ server: "depot", tool: "read", hash: "fedcba9876543210" }]);
});

it("P-03 an effect that another Admin has declared is the one that is offered", async () => {
  const { change } = await show();
  await change({ state: "pinned", effect: "read" });
  await change({ state: "changed", hash: "fedcba9876543210" });
  expect(effect().value).toBe("read");
});

it("U-210 nobody is told that there are no servers who may not see them", async () => {
  const { station } = await show("operator");
  expect(station.asked).toEqual([]);
  expect(screen.queryByText("No tool server is connected")).toBeNull();
  expect(screen.getByText("needs Admin")).toBeTruthy();
});

it("what was typed for a new server, and chosen for a tool, outlasts a link that is lost for a moment", async () => {
  const { station } = await show();
  fireEvent.change(effect(), { target: { value: "read" } });
  fireEvent.click(screen.getByTestId("server-add"));
  fireEvent.change(screen.getByTestId("server-id"), { target: { value: "depot-2" } });
  await act(async () => station.store.tick(performance.now() + 60_000));
  expect(screen.getByTestId<HTMLButtonElement>("server-add").disabled).toBe(true);
  expect(screen.getByTestId<HTMLInputElement>("server-id").value).toBe("depot-2");
  expect(effect().value).toBe("read");
});

it("U-210 nothing of a server can be changed while the link is lost, and each place says why", async () => {
  const { station, settled } = await show();
  fireEvent.click(screen.getByTestId("server-add"));
  fireEvent.change(screen.getByTestId("server-id"), { target: { value: "depot-2" } });
  fireEvent.change(screen.getByTestId("server-place"), { target: { value: "/usr/bin/depot" } });
  await act(async () => station.store.tick(performance.now() + 60_000));
  const acts = ["server-save", "pin-depot__read", "server-remove-depot"];
  expect(acts.filter((id) => !screen.getByTestId<HTMLButtonElement>(id).disabled)).toEqual([]);
  expect(screen.getAllByText("no contact with the station")).toHaveLength(2);
  fireEvent.submit(screen.getByTestId("server-id"));
  await settled();
  expect(station.asked.map(({ name }) => name)).toEqual(["list_mcp_servers"]);
});
