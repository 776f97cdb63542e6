import { render, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
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
    render(<DraftCard draft={draft} />);
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
