import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";
import type { AgentRow } from "../../generated/bindings/AgentRow";
import { HostError } from "../../host/host";
import { frame } from "../../testing/fixtures";
import { fakeStation, renderWith } from "../../testing/station";
import { AgentDock } from "./AgentDock";

beforeEach(() => localStorage.clear());

const agentRow = (id: string): AgentRow => ({
  id,
  session: "s-1",
  model: { name: "commands", kind: "interpreter" },
  mode: "ask",
  running: null,
  preset: "operator",
  provider: null,
  side: null,
  offline: null,
});
const empty = { session: "s-1", entries: [], running: null };

function show(ids: readonly string[], role: "operator" | "admin" = "operator", answers: Record<string, unknown> = {}) {
  const station = fakeStation(
    {
      list_agents: ids.map(agentRow),
      list_proposals: [],
      get_transcript: empty,
      send_message: { session: "s-1", turn: "t-1" },
      ...answers,
    },
    { role },
  );
  renderWith(station, <AgentDock />);
  return station;
}

const lastAsked = (station: ReturnType<typeof show>, name: string) =>
  station.asked.findLast((asked) => asked.name === name)?.input;

describe("the agent of a window", () => {
  it("is only named while there is one", async () => {
    show(["main"]);
    await screen.findByTestId("composer");
    expect([
      screen.queryByTestId("agent-switch"),
      screen.queryByTestId("agent-new"),
      screen.getByRole("heading").textContent,
    ]).toEqual([null, null, "main"]);
  });

  it("IS-02 is what every call about one agent carries, and the drafts stay apart", async () => {
    const station = show(["main", "night-watch"]);
    fireEvent.change(await screen.findByTestId("composer"), { target: { value: "for main" } });
    fireEvent.change(screen.getByTestId("agent-switch"), { target: { value: "night-watch" } });
    await waitFor(() => expect(lastAsked(station, "get_transcript")).toEqual({ limit: 2_000, agent: "night-watch" }));
    const composer = await screen.findByTestId<HTMLTextAreaElement>("composer");
    expect(composer.value).toBe("");
    fireEvent.change(composer, { target: { value: "status" } });
    await act(async () => void fireEvent.click(screen.getByTestId("send")));
    expect([lastAsked(station, "send_message"), lastAsked(station, "list_proposals")]).toEqual([
      { text: "status", agent: "night-watch" },
      {},
    ]);
  });

  it("is named while it is shown, listed or not, and the others can be reached", async () => {
    const station = show(["night-watch"]);
    const shown = await screen.findByTestId<HTMLSelectElement>("agent-switch");
    expect(shown.value).toBe("main");
    fireEvent.change(shown, { target: { value: "night-watch" } });
    expect(station.store.agent).toBe("night-watch");
  });

  it("is the only one that the refusal of its autonomy stands under", async () => {
    const refused = () => {
      throw new HostError("busy", "Not now.", null, 429);
    };
    const station = show(["main", "night-watch"], "operator", { set_mode: refused, list_missions: [] });
    await screen.findByTestId("agent-switch");
    await act(async () => void fireEvent.change(screen.getByTestId("agent-mode"), { target: { value: "watch" } }));
    await screen.findByText("code busy");
    act(() => station.store.chooseAgent("night-watch"));
    expect(screen.queryByText("code busy")).toBeNull();
  });

  it("gets no conversation that was made for another", async () => {
    let take: (answer: unknown) => void = () => {};
    const made = new Promise((resolve) => (take = resolve));
    const station = show(["main", "night-watch"], "operator", { new_session: () => made, list_sessions: [] });
    fireEvent.click(await screen.findByTestId("conversations"));
    await act(async () => void fireEvent.click(screen.getByTestId("conversation-new")));
    act(() => station.store.chooseAgent("night-watch"));
    await act(async () => take({ session: "chat-9" }));
    expect(station.store.conversation).toBeNull();
  });

  it("IS-01 shows no turn of another agent", async () => {
    const station = show(["main", "night-watch"]);
    await screen.findByTestId("agent-switch");
    const delivered = {
      kind: "turn",
      agent: "night-watch",
      session: "s",
      turn: "t",
      event: { delivered: { text: "seen at night" } },
    };
    act(() =>
      station.store.applyFrame(frame({ seq: 2, mono_ms: 10_100, facts: [delivered as never] }), performance.now()),
    );
    expect(screen.queryByText("seen at night")).toBeNull();
  });
});

describe("a new agent", () => {
  const make = async (id: string) => {
    fireEvent.click(await screen.findByTestId("agent-new"));
    fireEvent.change(screen.getByTestId("agent-new-id"), { target: { value: id } });
    await act(async () => void fireEvent.click(screen.getByTestId("agent-new-submit")));
  };

  it("is shown at once", async () => {
    const station = show(["main"], "admin", { create_agent: agentRow("night-watch") });
    await make("night-watch");
    await waitFor(() => expect(station.store.agent).toBe("night-watch"));
  });

  it("IS-03 has a name the station would take", async () => {
    const station = show(["main"], "admin");
    await make("Night Watch");
    expect([
      screen.getByText("1 to 64 characters: a to z, 0 to 9, _ and -.").tagName,
      station.asked.some(({ name }) => name === "create_agent"),
    ]).toEqual(["P", false]);
  });

  it("says why the station refuses", async () => {
    const refused = () => {
      throw new HostError("agent_exists", "There is an agent main already.", null, 409);
    };
    show(["main"], "admin", { create_agent: refused });
    await make("main");
    await screen.findByText(/There is an agent main already/);
  });
});
