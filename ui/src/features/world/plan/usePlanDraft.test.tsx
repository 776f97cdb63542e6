import { act, fireEvent, screen } from "@testing-library/react";
import { useState } from "react";
import { describe, expect, it } from "vitest";
import { toasts } from "../../../design/components/toast-queue";
import type { SitePlan } from "../../../generated/bindings/SitePlan";
import { fakeStation, renderWith } from "../../../testing/station";
import { PlanAreas } from "./PlanAreas";
import { useAreaDraft } from "./useAreaDraft";
import { usePlanDraft } from "./usePlanDraft";

const area = (name: string): SitePlan["areas"][number] => ({
  name,
  corners: [
    [0, 0],
    [1, 0],
    [1, 1],
  ],
});
const planOf = (...names: string[]): SitePlan => ({ frame: "map", walls: [], areas: names.map(area) });

type Saved = { version: number; plan: SitePlan };
const SAVED: Saved = { version: 3, plan: planOf("dock") };
const TOLD: Saved = { version: 4, plan: planOf("dock", "stairs") };

/** A desk with the plan of the station; `rows` is what the station has told of it. */
function Desk({ first = SAVED }: { first?: Saved }) {
  const [rows, setRows] = useState(first);
  const draft = usePlanDraft({ ...rows, origin: "saved", saved_by: "dana", saved_at_ms: 0 });
  const form = useAreaDraft("map");
  const button = (name: string, press: () => void) => (
    <a href={`#${name}`} onClick={press}>
      {name}
    </a>
  );
  return (
    <>
      {button("add stairs", () => draft.change(planOf("dock", "stairs")))}
      {button("add ramp", () => draft.change(planOf("dock", "stairs", "ramp")))}
      {button("save", draft.save)}
      {button("discard", draft.discard)}
      {button("told", () => setRows(TOLD))}
      {button("removed", () => setRows({ version: 4, plan: planOf() }))}
      <output>
        {draft.plan.areas.map(({ name }) => name).join(" ")}
        {draft.changed && " changed"}
        {draft.overtaken && " overtaken"}
      </output>
      <em>{draft.pending && "sending"}</em>
      <PlanAreas
        areas={draft.plan.areas}
        form={form}
        refusal={null}
        onAreas={(areas) => draft.change({ ...draft.plan, areas })}
      />
    </>
  );
}

const press = (name: string) => fireEvent.click(screen.getByText(name));
const shown = () => document.querySelector("output")?.textContent;
const sending = () => document.querySelector("em")?.textContent === "sending";

function show() {
  const answers: (() => void)[] = [];
  const save_site_plan = () => new Promise((resolve) => answers.push(() => resolve({ version: 4 })));
  const station = fakeStation({ save_site_plan });
  let view = renderWith(station, <Desk />);
  const comeBack = (first?: Saved) => {
    view.unmount();
    view = renderWith(station, <Desk {...(first && { first })} />);
  };
  return { station, comeBack, answer: () => act(async () => answers.shift()?.()) };
}

const send = () => act(async () => press("save"));

describe("U-1111 a site plan that is changed", () => {
  it("keeps what was changed while it was saved, and saves it over that", async () => {
    const { station, answer } = show();
    press("add stairs");
    await send();
    press("add ramp");
    await answer();
    expect(shown()).toBe("dock stairs ramp changed");
    press("told");
    expect(shown()).toBe("dock stairs ramp changed");
    await send();
    expect(station.asked.at(-1)?.input).toMatchObject({ base_version: 4 });
  });

  it("is not overtaken by its own save", async () => {
    const { answer } = show();
    press("add stairs");
    await send();
    await answer();
    expect(shown()).toBe("dock stairs");
    press("add ramp");
    press("told");
    expect(shown()).toBe("dock stairs ramp changed");
  });

  it("is there again when somebody comes back to the screen, until it is the station's", async () => {
    const { comeBack, answer } = show();
    press("add stairs");
    comeBack();
    expect(shown()).toBe("dock stairs changed");
    await send();
    comeBack(TOLD);
    await answer();
    expect(shown()).toBe("dock stairs");
  });

  it("is not there again once it was saved, though the answer came after the screen was left", async () => {
    const { comeBack, answer } = show();
    press("add stairs");
    await send();
    comeBack();
    await answer();
    // The rows are still those from before the save.
    expect(shown()).toBe("dock stairs");
    press("told");
    expect(shown()).toBe("dock stairs");
    press("removed");
    expect(shown()).toBe("");
  });

  it("is not overtaken by its own save whose answer was lost", () => {
    const { comeBack } = show();
    press("add stairs");
    comeBack(TOLD);
    expect(shown()).toBe("dock stairs");
  });

  it("does not write over its own earlier save that it was not made of", async () => {
    const { answer } = show();
    press("add stairs");
    await send();
    press("discard");
    press("add ramp");
    await answer();
    press("told");
    expect(shown()).toBe("dock stairs ramp changed overtaken");
  });

  it("waits no longer for the answer to a save that the station's rows show", async () => {
    const { station } = show();
    press("add stairs");
    await send();
    press("add ramp");
    expect([shown(), sending()]).toEqual(["dock stairs ramp changed", true]);
    press("told");
    expect([shown(), sending()]).toEqual(["dock stairs ramp changed", false]);
    await send();
    expect(station.asked.map(({ input }) => input)).toMatchObject([{ base_version: 3 }, { base_version: 4 }]);
  });

  it("does not wait for the answer to a draft that was discarded, and tells of it if it comes", async () => {
    const { station, answer } = show();
    press("add stairs");
    await send();
    await act(async () => press("discard"));
    press("add ramp");
    expect(sending()).toBe(false);
    await send();
    expect(station.asked).toHaveLength(2);
    toasts.clear();
    await answer();
    expect([shown(), sending()]).toEqual(["dock stairs ramp changed", true]);
    expect(toasts.visibleToasts.map(({ content }) => content.text)).toContain("Site plan saved");
  });

  it("takes in an area whose former self somebody else has removed", () => {
    show();
    fireEvent.click(screen.getByLabelText("Edit dock"));
    fireEvent.change(screen.getByTestId("area-name"), { target: { value: "dock 2" } });
    press("removed");
    fireEvent.click(screen.getByTestId("area-done"));
    expect(shown()).toBe("dock 2 changed");
  });
});
