import { act, fireEvent, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { ModelChoice } from "../../generated/bindings/ModelChoice";
import { HostError } from "../../host/host";
import { BOX } from "../../testing/providers";
import { fakeStation, renderWith } from "../../testing/station";
import { AgentsSection } from "./AgentsSection";

const model = (name: string) => ({
  name,
  window: 32_768,
  output_max: 1_024,
  native_tools: true,
  price: null,
  served: true,
});

const agent = (choice: ModelChoice | null) => ({
  id: "main",
  session: "desk",
  model:
    choice === null ? { name: "quarterdeck-commands", kind: "interpreter" } : { name: choice.model, kind: "language" },
  provider: choice?.provider ?? null,
  mode: "ask",
  running: null,
});

/** The section, with an agent whose model somebody else may select. */
async function show(first: ModelChoice | null, answers: Record<string, unknown> = {}) {
  let choice = first;
  const station = fakeStation(
    {
      list_providers: [BOX],
      list_models: { models: [model("small"), model("large")], error: null },
      list_agents: () => [agent(choice)],
      get_sandbox: { on: false, problem: null, sources: [], shell_tools: [] },
      select_model: { agent: "main", model: { name: "large", kind: "language" }, side: null },
      ...answers,
    },
    { role: "admin" },
  );
  const { queries, settled } = renderWith(station, <AgentsSection />);
  await settled();
  const selectElsewhere = async (next: ModelChoice | null) => {
    choice = next;
    await act(() => queries.invalidateQueries({ queryKey: ["agents"] }));
    await settled();
  };
  return { station, selectElsewhere, settled };
}

const provider = () => screen.getByLabelText<HTMLSelectElement>("Provider");
const chosen = () => screen.getByLabelText<HTMLSelectElement>("Model");

describe("the model of an agent that two people choose", () => {
  it("follows what is in force while nobody touches it here", async () => {
    const { selectElsewhere } = await show({ provider: "box", model: "small" });
    await selectElsewhere({ provider: "box", model: "large" });
    expect([chosen().value, screen.queryByTestId("model-overtaken")]).toEqual(["large", null]);
  });

  it("stays as it was chosen here, and says what it would replace", async () => {
    const { selectElsewhere } = await show(null);
    fireEvent.change(provider(), { target: { value: "box" } });
    await selectElsewhere({ provider: "box", model: "large" });
    expect([provider().value, screen.getByTestId("model-overtaken").textContent]).toEqual([
      "box",
      "Selected meanwhile: large. Your choice would replace it.",
    ]);
  });

  it("is followed again once it was taken, and no longer said to be another one", async () => {
    const { selectElsewhere, settled } = await show({ provider: "box", model: "small" });
    fireEvent.change(chosen(), { target: { value: "large" } });
    fireEvent.click(screen.getByTestId("select-model"));
    await settled();
    await selectElsewhere({ provider: "box", model: "large" });
    expect(screen.getByTestId("model-selected").textContent).toBe("main: large");
    await selectElsewhere({ provider: "box", model: "small" });
    expect([chosen().value, screen.queryByTestId("model-selected"), screen.queryByTestId("model-overtaken")]).toEqual([
      "small",
      null,
      null,
    ]);
  });
});

describe("what the fields of a model show", () => {
  it("is what would be sent, also where its provider or the model is listed no more", async () => {
    const gone = await show({ provider: "attic", model: "old" });
    expect([provider().value, chosen().value]).toEqual(["attic", "old"]);
    expect(gone.station.asked.some(({ name }) => name === "list_models")).toBe(true);
  });

  it("says why no models are listed", async () => {
    await show(
      { provider: "box", model: "small" },
      {
        list_models: () => {
          throw new HostError("no_answer", "late");
        },
      },
    );
    expect(await screen.findByText(/did not answer in time/)).toBeTruthy();
  });
});
