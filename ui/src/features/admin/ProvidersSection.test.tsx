import { act, fireEvent, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { HostError } from "../../host/host";
import { BOX } from "../../testing/providers";
import { fakeStation, renderWith } from "../../testing/station";
import { ProvidersSection } from "./ProvidersSection";

let settle: () => Promise<void>;

async function show(answers: Record<string, unknown>) {
  const station = fakeStation(
    { list_providers: [BOX], list_secrets: [], detect_local_servers: [], set_provider: BOX, ...answers },
    { role: "admin" },
  );
  const view = renderWith(station, <ProvidersSection />);
  settle = view.settled;
  await settle();
  const asked = (name: string) => station.asked.filter((ask) => ask.name === name).map(({ input }) => input);
  const outdate = async () => {
    await act(() => view.queries.invalidateQueries({ queryKey: ["providers"] }));
    await settle();
  };
  return { asked, outdate };
}

const press = async (testId: string) => {
  fireEvent.click(screen.getByTestId(testId), { detail: 0 });
  await settle();
};
const write = (testId: string, text: string) =>
  fireEvent.change(screen.getByTestId(testId), { target: { value: text } });

describe("FU-18 providers of language models", () => {
  it("take their key with them in one form, under their own name", async () => {
    const { asked } = await show({ set_secret: { name: "cloud", last4: "a1b2", set_at: 0, kept: "keychain" } });
    await press("provider-add");
    write("provider-id", "cloud");
    write("key-value", " sk-12345678 ");
    await press("provider-save");
    expect([asked("set_secret"), asked("set_provider")]).toEqual([
      [{ name: "cloud", value: "sk-12345678" }],
      [{ id: "cloud", kind: "anthropic", key: "cloud" }],
    ]);
  });

  it("are not added without their key when the keychain refuses it, and the screen says so in plain words", async () => {
    const { asked } = await show({
      set_secret: () => {
        throw new HostError("keychain_unavailable", "org.freedesktop.DBus.Error.ServiceUnknown: not activatable");
      },
    });
    await press("provider-add");
    write("key-value", "sk-12345678");
    await press("provider-save");
    expect(asked("set_provider")).toEqual([]);
    expect(screen.getByText(/The keychain of this computer is missing or locked/)).toBeTruthy();
    expect(screen.queryByText(/freedesktop/)).toBeNull();
    expect(screen.getByTestId("keychain-remedy")).toBeTruthy();
  });

  it("without a model say where to name one", async () => {
    await show({
      test_provider: () => {
        throw new HostError("invalid_input", "box names no model; name the one to ask.", { path: "model" });
      },
    });
    await press("test-box");
    expect(screen.getByText("Name a model under Edit, then test again.")).toBeTruthy();
  });

  const model = (name: string) => ({
    name,
    window: 200_000,
    output_max: 8_000,
    native_tools: true,
    price: null,
    served: true,
  });

  it("are tried with the key that was pasted before anything is saved, and list their models", async () => {
    const { asked } = await show({ try_provider: { models: [model("haiku"), model("opus")], error: null } });
    await press("provider-add");
    write("key-value", " sk-12345678 ");
    await press("provider-try");
    expect([asked("try_provider"), asked("set_secret"), asked("set_provider")]).toEqual([
      [{ kind: "anthropic", value: "sk-12345678" }],
      [],
      [],
    ]);
    expect(screen.getByTestId("provider-tried").textContent).toContain("lists 2 models");
    await press("offer-opus");
    expect(screen.getByTestId<HTMLTextAreaElement>("provider-models").value).toBe("opus");
    expect(screen.getByTestId("offer-opus").getAttribute("aria-pressed")).toBe("true");
    await press("offer-opus");
    expect(screen.getByTestId<HTMLTextAreaElement>("provider-models").value).toBe("");
  });

  it("say in plain words that a key is wrong, and forget it once the address changes", async () => {
    const message = "The key is missing, wrong or not allowed to do this. Set another key.";
    await show({ try_provider: { models: [], error: { kind: "auth", message, status: 401 } } });
    await press("provider-add");
    write("key-value", "sk-wrong-12345");
    await press("provider-try");
    expect(screen.getByTestId("provider-tried").textContent).toBe(`${message} (HTTP 401)`);
    write("provider-base", "https://elsewhere.example");
    expect(screen.getByTestId("provider-tried").textContent).toBe("");
  });

  it("are not called tried with a key that was pasted after the test", async () => {
    await show({ try_provider: { models: [model("haiku")], error: null } });
    await press("provider-add");
    write("key-value", "sk-12345678");
    await press("provider-try");
    expect(screen.getByTestId("provider-tried").textContent).toContain("The server answers");
    write("key-value", "sk-another-1");
    expect(screen.getByTestId("provider-tried").textContent).toBe("");
  });

  it("keep their key when they are refused after the key was saved", async () => {
    let refuses = true;
    const { asked } = await show({
      set_secret: { name: "cloud", last4: "a1b2", set_at: 0, kept: "keychain" },
      set_provider: () => {
        if (refuses) throw new HostError("invalid_input", "That is no address.", { path: "base" });
        return BOX;
      },
    });
    await press("provider-add");
    write("provider-id", "cloud");
    write("key-value", "sk-12345678");
    await press("provider-save");
    refuses = false;
    write("provider-base", "https://cloud.example");
    await press("provider-save");
    expect(asked("set_provider").at(-1)).toEqual({
      id: "cloud",
      kind: "anthropic",
      base: "https://cloud.example",
      key: "cloud",
    });
  });

  it("say nothing of a test that is over once the next one is refused", async () => {
    let refuses = false;
    await show({
      test_provider: () => {
        if (refuses) throw new HostError("no_answer", "late");
        return { model: "small", latency_ms: 120, said: "ok", error: null };
      },
    });
    await press("test-box");
    expect(screen.getByTestId("tested-box").textContent).toBe("small answers after 120 ms");
    refuses = true;
    await press("test-box");
    expect(screen.queryByTestId("tested-box")).toBeNull();
  });

  it("say nothing of a test at the address that they had before", async () => {
    let base = BOX.base;
    const { outdate } = await show({
      list_providers: () => [{ ...BOX, base }],
      test_provider: { model: "small", latency_ms: 120, said: "ok", error: null },
    });
    await press("test-box");
    expect(screen.getByTestId("tested-box")).toBeTruthy();
    base = "http://10.0.0.9:11434/v1";
    await outdate();
    expect(screen.queryByTestId("tested-box")).toBeNull();
  });
});

describe("a provider that is there", () => {
  it("is not replaced by a new one of its name", async () => {
    const { asked } = await show({ list_providers: [BOX, { ...BOX, id: "anthropic", kind: "anthropic" }] });
    await press("provider-add");
    expect(screen.getByTestId<HTMLInputElement>("provider-id").value).toBe("anthropic-2");
    write("provider-id", "box");
    expect(screen.getByText("There is a provider of this name already.")).toBeTruthy();
    await press("provider-save");
    expect(asked("set_provider")).toEqual([]);
  });

  it("is not replaced by a server that was found on this computer", async () => {
    const { asked } = await show({
      list_providers: [{ ...BOX, id: "ollama", base: "http://10.0.0.9:11434/v1" }],
      detect_local_servers: [{ kind: "ollama", base: BOX.base, models: ["m"], window: null, provider: null }],
    });
    await press("use-ollama");
    expect(asked("set_provider")).toEqual([{ id: "ollama-2", kind: "ollama", base: BOX.base }]);
  });

  it("keeps its key when a key is pasted for a new one of the key's name", async () => {
    const { asked } = await show({ list_secrets: [{ name: "cloud", last4: "a1b2", set_at: 0, kept: "keychain" }] });
    await press("provider-add");
    write("provider-id", "cloud");
    write("key-value", "sk-12345678");
    await press("provider-save");
    expect([asked("set_secret"), asked("set_provider")]).toEqual([[], []]);
    expect(screen.getByText(/There is a key of this name already/)).toBeTruthy();
  });

  it("says in its open form that somebody else has changed it, and keeps what was typed", async () => {
    let base = BOX.base;
    const { asked, outdate } = await show({ list_providers: () => [{ ...BOX, base }] });
    await press("model-provider-edit-box");
    write("provider-models", "mine");
    base = "http://10.0.0.9:11434/v1";
    await outdate();
    expect(screen.getByTestId("provider-meanwhile").textContent).toContain("box was changed meanwhile");
    expect(screen.getByTestId<HTMLTextAreaElement>("provider-models").value).toBe("mine");
    await press("provider-newer");
    expect(screen.queryByTestId("provider-meanwhile")).toBeNull();
    await press("provider-save");
    expect(asked("set_provider")).toMatchObject([{ base: "http://10.0.0.9:11434/v1" }]);
  });

  it("says in its open form that somebody else has removed it", async () => {
    let rows = [BOX];
    const { outdate } = await show({ list_providers: () => rows });
    await press("model-provider-edit-box");
    rows = [];
    await outdate();
    expect(screen.getByTestId("provider-meanwhile").textContent).toContain("box was removed meanwhile");
  });
});
