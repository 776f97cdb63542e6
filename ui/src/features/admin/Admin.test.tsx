import { fireEvent, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { Role } from "../../generated/bindings/Role";
import type { McpToolRow } from "../../generated/bindings/McpToolRow";
import { HostError } from "../../host/host";
import { modelCall } from "../../testing/model-calls";
import { BOX } from "../../testing/providers";
import { fakeStation, renderWith } from "../../testing/station";
import { Admin } from "./Admin";

const TOOL: McpToolRow = {
  name: "depot__read",
  tool: "read",
  description: "<b>Reads</b> a shelf.",
  state: "new",
  problem: null,
  effect: null,
  hash: "abcdef0123456789",
  form: '{"name":"read"}',
  pinned_form: null,
};
const SERVER = {
  id: "depot",
  command: ["/usr/bin/depot"],
  program_folders: [],
  url: null,
  trusted: false,
  state: "ready",
  reason: null,
  tools: [TOOL],
};
const DAY = { spent_microusd: 1_250, unknown_calls: 1, limit_microusd: 5_000_000 };

let settle: () => Promise<void>;

async function show(
  section: string,
  { role = "admin", answers = {} }: { role?: Role; answers?: Record<string, unknown> } = {},
) {
  const station = fakeStation(
    {
      list_providers: [BOX],
      list_secrets: [{ name: "box", last4: "a1b2", set_at: 1_772_990_000, kept: "keychain" }],
      detect_local_servers: [],
      list_models: {
        models: [{ name: "small", window: 32_768, output_max: 1_024, native_tools: true, price: null, served: true }],
        error: null,
      },
      list_agents: [
        {
          id: "main",
          session: "desk",
          model: { name: "quarterdeck-commands", kind: "interpreter" },
          mode: "ask",
          running: null,
        },
      ],
      get_sandbox: { on: false, problem: null, sources: [], shell_tools: [] },
      list_mcp_servers: [SERVER],
      list_model_calls: {
        calls: [modelCall(), modelCall({ id: "mc-2", cost_microusd: null })],
        is_cut: false,
        today: "2026-03-08",
        day: DAY,
      },
      ...answers,
    },
    { role },
  );
  ({ settled: settle } = renderWith(station, <Admin section={section} />));
  await settle();
  const asked = (name: string) => station.asked.filter((ask) => ask.name === name).map(({ input }) => input);
  return { station, asked };
}

const press = async (testId: string) => {
  fireEvent.click(screen.getByTestId(testId), { detail: 0 });
  await settle();
};
const write = (testId: string, text: string) =>
  fireEvent.change(screen.getByTestId(testId), { target: { value: text } });

describe("U-1702 providers", () => {
  it("are tested with one word, and say in plain words what came of it", async () => {
    const answers = { test_provider: { model: "small", latency_ms: 120, said: "ok", error: null } };
    const { asked } = await show("providers", { answers });
    await press("test-box");
    expect([asked("test_provider"), screen.getByTestId("tested-box").textContent]).toEqual([
      [{ provider: "box", agent: "main" }],
      "small answers after 120 ms",
    ]);
  });

  it("that do not answer say why", async () => {
    await show("providers", {
      answers: {
        test_provider: {
          model: "small",
          latency_ms: 3,
          said: null,
          error: { kind: "auth", message: "The key was refused.", status: 401 },
        },
      },
    });
    await press("test-box");
    expect(screen.getByTestId("tested-box").textContent).toBe("The key was refused. (HTTP 401)");
  });

  it("are added by an Admin", async () => {
    const { asked } = await show("providers", { answers: { set_provider: BOX } });
    await press("provider-add");
    write("provider-id", "cloud");
    await press("provider-save");
    expect(asked("set_provider")).toEqual([{ id: "cloud", kind: "anthropic" }]);
  });

  it("on this computer become one with one press", async () => {
    const { asked } = await show("providers", {
      answers: {
        set_provider: BOX,
        detect_local_servers: [
          { kind: "llama_cpp", base: "http://127.0.0.1:8080/v1", models: ["m"], window: 4_096, provider: null },
        ],
      },
    });
    await press("use-llama-cpp");
    expect(asked("set_provider")).toEqual([
      { id: "llama-cpp", kind: "llama_cpp", base: "http://127.0.0.1:8080/v1", window: 4_096 },
    ]);
  });

  it("U-111 none is fine, and says what answers then", async () => {
    await show("providers", { answers: { list_providers: [] } });
    expect(screen.getByText("No provider: the command interpreter answers")).toBeTruthy();
  });
});

describe("U-1701 ATT-21 keys", () => {
  const SECRET = "sk-very-secret-a1b2";
  const value = () => screen.getByTestId<HTMLInputElement>("key-value");

  it("go in once, and their field is empty before the station has answered", async () => {
    let left = "";
    const { station } = await show("keys", {
      answers: {
        set_secret: () => {
          left = value().value;
          return { name: "box", last4: "a1b2", set_at: 1, kept: "keychain" };
        },
      },
    });
    write("key-name", "box");
    write("key-value", SECRET);
    await press("key-save");
    expect([
      station.asked.find(({ name }) => name === "set_secret")?.input,
      left,
      value().value,
      screen.getByTestId("key-kept").textContent,
    ]).toEqual([{ name: "box", value: SECRET }, "", "", "Key box is saved."]);
    expect(document.documentElement.outerHTML + JSON.stringify({ ...localStorage, ...sessionStorage })).not.toContain(
      SECRET,
    );
  });

  it("show their last four characters only", async () => {
    await show("keys");
    expect(screen.getByTestId("key-box").textContent).toContain("…a1b2");
  });

  it("without a keychain name the remedy, and may be kept for this session", async () => {
    const refused = () => {
      throw new HostError("keychain_unavailable", "The keychain is locked.", null, 503);
    };
    const { asked } = await show("keys", { answers: { set_secret: refused } });
    write("key-name", "box");
    write("key-value", SECRET);
    fireEvent.click(screen.getByTestId("key-session-only"));
    await press("key-save");
    expect([
      asked("set_secret"),
      screen.getByTestId("keychain-remedy").textContent?.startsWith("Unlock or install"),
    ]).toEqual([[{ name: "box", value: SECRET, this_session_only: true }], true]);
  });

  it("are not asked for by who is no Admin", async () => {
    const { asked } = await show("keys", { role: "operator" });
    expect([asked("list_secrets"), screen.getByTestId<HTMLButtonElement>("key-save").disabled]).toEqual([[], true]);
  });
});

describe("agents", () => {
  it("are given a model of a provider, and say what answers now", async () => {
    const { asked } = await show("agents", {
      answers: { select_model: { agent: "main", model: { name: "small", kind: "language" }, side: null } },
    });
    fireEvent.change(screen.getByLabelText("Provider"), { target: { value: "box" } });
    await settle();
    expect(screen.getByTestId<HTMLButtonElement>("select-model").disabled).toBe(true);
    fireEvent.change(screen.getByLabelText("Model"), { target: { value: "small" } });
    await press("select-model");
    expect([asked("select_model"), screen.getByTestId("model-selected").textContent]).toEqual([
      [{ provider: "box", model: "small", agent: "main" }],
      "main: small",
    ]);
  });

  it("are given a model for embeddings, and say how memory is searched at present", async () => {
    const { asked } = await show("agents", { answers: { select_embedding: { agent: "main", embedding: null } } });
    expect(screen.getByTestId("recall").textContent).toBe("by words alone at present");
    fireEvent.change(screen.getByLabelText("Embedding provider"), { target: { value: "box" } });
    await settle();
    fireEvent.change(screen.getByLabelText("Model"), { target: { value: "small" } });
    await press("select-embedding");
    expect(asked("select_embedding")).toEqual([{ provider: "box", model: "small", agent: "main" }]);
  });

  it("ATT-22 get a sandbox from an Admin only where its cell holds", async () => {
    await show("agents", {
      answers: { get_sandbox: { on: false, problem: "bubblewrap is missing", sources: [], shell_tools: [] } },
    });
    expect([
      screen.getByTestId<HTMLButtonElement>("sandbox-switch").disabled,
      screen.getByText("The sandbox cannot be isolated here: bubblewrap is missing.").tagName,
    ]).toEqual([true, "P"]);
  });
});

describe("P-03 ATT-29 tools of other servers", () => {
  it("are pinned in the form that was looked at, with what they do", async () => {
    const { asked } = await show("tools", { answers: { pin_mcp_tool: { message: "done" } } });
    fireEvent.change(screen.getByLabelText("What it does"), { target: { value: "read" } });
    await press("pin-depot__read");
    expect(asked("pin_mcp_tool")).toEqual([{ server: "depot", tool: "read", hash: TOOL.hash, effect: "read" }]);
    expect([
      document.querySelector("[data-testid='tool-depot__read'] b"),
      screen.queryByRole("option", { name: "moves a robot" }),
    ]).toEqual([null, null]);
  });

  it("that changed are off, and show both forms", async () => {
    const tools = [{ ...TOOL, state: "changed", effect: "read", pinned_form: '{"name":"read","was":1}' }];
    await show("tools", { answers: { list_mcp_servers: [{ ...SERVER, tools }] } });
    const row = screen.getByTestId("tool-depot__read");
    for (const part of ["CHANGED: off until pinned again", '{"name":"read","was":1}', '{"name":"read"}', "Unpin"])
      expect(row.textContent).toContain(part);
  });
});

describe("K-01 the ledger", () => {
  it("shows what today cost of what it may, and never a missing price as nothing", async () => {
    const { asked } = await show("budget", { answers: { add_budget: { turn: null, mission: null, day: DAY } } });
    expect(screen.getByTestId("budget-day").textContent).toContain("$0.00125 of $5.00");
    expect(screen.getByTestId("model-calls").textContent).toContain("price unknown");
    await press("budget-add");
    fireEvent.submit(screen.getByTestId("budget-add"));
    await settle();
    expect(asked("add_budget")[0]).toEqual({ meter: "day", usd: 1, agent: "main" });
  });
});
