import { fireEvent, screen } from "@testing-library/react";
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
  ({ settled: settle } = renderWith(station, <ProvidersSection />));
  await settle();
  const asked = (name: string) => station.asked.filter((ask) => ask.name === name).map(({ input }) => input);
  return { asked };
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
});
