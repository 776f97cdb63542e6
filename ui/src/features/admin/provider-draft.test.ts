import { describe, expect, it } from "vitest";
import { newDraft, type ProviderDraft, providerOf, withKind } from "./provider-draft";

describe("U-1702 a provider as it is written down", () => {
  it.each<[Partial<ProviderDraft>, unknown]>([
    [{}, { provider: { id: "ollama", kind: "ollama" } }],
    [
      { id: "box", base: " http://10.0.0.5:8000/v1 ", local: false },
      { provider: { id: "box", kind: "ollama", base: "http://10.0.0.5:8000/v1", local: false } },
    ],
    [
      { key: "box", window: "32768", models: "a\n\n b \n" },
      { provider: { id: "ollama", kind: "ollama", key: "box", window: 32_768, models: ["a", "b"] } },
    ],
    [{ id: "My Box" }, { path: "id" }],
    [{ id: "" }, { path: "id" }],
    [{ window: "32k" }, { path: "window" }],
    [{ window: "-1" }, { path: "window" }],
  ])("%o is %o", (change, read) => expect(providerOf({ ...newDraft("ollama"), ...change })).toEqual(read));
});

it("another kind keeps what was typed, and renames only what was offered", () => {
  const offered = newDraft("openai", ["openai"]);
  expect(withKind(offered, "vllm", ["openai"])).toEqual({ id: "vllm", kind: "vllm", local: true });
  const typed = { ...offered, id: "depot", base: "http://10.0.0.5/v1", models: "a" };
  expect({ ...typed, ...withKind(typed, "vllm", []) }).toMatchObject({
    id: "depot",
    base: "http://10.0.0.5/v1",
    models: "a",
  });
});
