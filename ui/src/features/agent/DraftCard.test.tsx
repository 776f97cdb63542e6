import { screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { speak } from "../../locales/i18n";
import { fakeStation, renderWith } from "../../testing/station";
import { DraftCard } from "./DraftCard";
import { readDraft } from "./mission-draft";

const ANSWER = {
  mission_id: "patrol-of-the-loading-dock",
  title: "Patrol of the <b>loading dock</b>",
  ok: false,
  meaning: Array.from({ length: 10 }, (_, at) => `Sentence ${at + 1}.`),
  notes: ["The site plan has no area `yard`. The draft visits the points of its template."],
  problems: [{ line: 3, message: "There is no robot `rover-9`.", severity: "error" }],
};

describe("ME-16 drafts that an agent makes", () => {
  it("stand as a card with their meaning, their problems and the way to them, and never as HTML", () => {
    const draft = readDraft("draft_mission", ANSWER);
    if (draft === null) throw new Error("it is a draft");
    renderWith(fakeStation(), <DraftCard draft={draft} />);
    expect(screen.getByText("Patrol of the <b>loading dock</b>")).toBeTruthy();
    expect(screen.getByTestId("draft-meaning").textContent).toContain("and 2 more sentences");
    expect(screen.getByTestId("draft-notes").textContent).toBe(ANSWER.notes[0]);
    expect(screen.getByTestId("draft-problems").textContent).toContain("Line 3: There is no robot");
    const link = screen.getByTestId("draft-open-patrol-of-the-loading-dock");
    expect(link.getAttribute("href")).toContain("/missions/patrol-of-the-loading-dock");
  });

  it("are read from nothing else", () => {
    expect(readDraft("get_mission", ANSWER)).toBeNull();
    expect(readDraft("draft_mission", { ...ANSWER, mission_id: "../admin" })).toBeNull();
    expect(readDraft("draft_mission", "a text")).toBeNull();
    expect(readDraft("draft_mission", { ...ANSWER, meaning: 3, notes: 3, problems: [null, 7] })).toMatchObject({
      meaning: [],
      notes: [],
      problems: [],
    });
  });
});

describe("U-2006 drafts that an agent makes, in German", () => {
  beforeEach(() => speak("de"));
  afterEach(() => speak("en"));

  const told = {
    ...ANSWER,
    hash: "a1",
    meaning: ["Robot: rover-1.", "Nobody told this one as data."],
    note_kinds: [{ code: "no_area", place: "yard" }],
    problems: [{ ...ANSWER.problems[0], code: "unknown_robot" }],
  };
  const statements = [{ part: { code: "robot" }, phrase: { code: "plain", text: "rover-1" } }];

  async function show(hash: string) {
    const draft = readDraft("draft_mission", told);
    if (draft === null) throw new Error("it is a draft");
    const station = fakeStation({ get_mission: () => ({ hash, statements }) });
    const { settled } = renderWith(station, <DraftCard draft={draft} />);
    await settled();
    return station;
  }

  it("say what they mean, what they leave out and what is wrong", async () => {
    const station = await show("a1");
    expect(station.asked).toContainEqual({
      name: "get_mission",
      input: { mission_id: told.mission_id, version: "a1", agent: "main" },
    });
    const meaning = screen.getByTestId("draft-meaning").textContent;
    expect(meaning).toContain("Roboter: rover-1.");
    expect(meaning).toContain("Nobody told this one as data.");
    expect(screen.getByTestId("draft-notes").textContent).toBe(
      "Der Lageplan hat keinen Bereich „yard“. Der Entwurf fährt die Punkte seiner Vorlage an.",
    );
    expect(screen.getByTestId("draft-problems").textContent).toContain("Zeile 3: Diesen Roboter gibt es nicht");
  });

  it("keep the words of the call where the text is another one now", async () => {
    await show("b2");
    expect(screen.getByTestId("draft-meaning").textContent).toContain("Robot: rover-1.");
  });

  it("keep a sentence whose code is no code", () => {
    const odd = {
      ...told,
      note_kinds: [{ code: "constructor" }],
      problems: [{ ...told.problems[0], code: "toString" }],
    };
    const draft = readDraft("draft_mission", odd);
    expect(draft?.notes).toEqual(ANSWER.notes);
    expect(draft?.problems[0]?.message).toBe("There is no robot `rover-9`.");
  });
});
