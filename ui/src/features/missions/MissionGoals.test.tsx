import { screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { MissionDetail } from "../../generated/bindings/MissionDetail";
import type { MissionGoal } from "../../generated/bindings/MissionGoal";
import { speak } from "../../locales/i18n";
import { fakeStation, renderWith } from "../../testing/station";
import { MissionGoals } from "./MissionGoals";

const GOAL: MissionGoal = {
  text: "of a station without phrases",
  state: "pending",
  since_ms: null,
  proposal: null,
  detail: null,
  may_tick: false,
};
const GOALS: MissionGoal[] = [
  { ...GOAL, text: "wait 30 s", phrase: { code: "wait", secs: 30 } },
  { ...GOAL, text: "a turn of the agent with the mission's text", phrase: { code: "turn" } },
  { ...GOAL, text: "north gate", phrase: { code: "name", name: "north gate" } },
  GOAL,
];

async function shown(): Promise<string> {
  const mission = { id: "patrol", goals: GOALS } as MissionDetail;
  const { settled } = renderWith(fakeStation(), <MissionGoals mission={mission} />);
  await settled();
  return screen.getByTestId("mission-goals").textContent;
}

describe("U-2006 goals of a mission, in German", () => {
  beforeEach(() => speak("de"));
  afterEach(() => speak("en"));

  it("say what is done, and keep the names that people gave", async () => {
    const text = await shown();
    expect(text).toContain("30 s warten");
    expect(text).toContain("ein Durchgang des Agenten mit dem Text der Mission");
    expect(text).toContain("north gate");
    expect(text).toContain("of a station without phrases");
  });
});

it("U-2006 goals of a mission in English are the station's words", async () =>
  expect(await shown()).toContain("wait 30 s"));
