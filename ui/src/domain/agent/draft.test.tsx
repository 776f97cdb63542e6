import { beforeEach, describe, expect, it } from "vitest";
import { saveDraft, suggest } from "./draft";

beforeEach(() => localStorage.clear());

const TO = { agent: "main", conversation: null };
const draft = () => localStorage.getItem("quarterdeck.draft.main");

describe("a suggestion", () => {
  it("stands alone in an empty field, and gives way to the next", () => {
    suggest(TO, "status");
    suggest(TO, "what do you see");
    expect(draft()).toBe("what do you see");
  });

  it("follows what somebody is writing, and comes once", () => {
    saveDraft(TO, "Before you move, ");
    suggest(TO, "status");
    suggest(TO, "status");
    expect(draft()).toBe("Before you move,\nstatus");
  });

  it("that was changed is somebody's words", () => {
    suggest(TO, "move arm-1");
    saveDraft(TO, "move arm-1 slowly");
    suggest(TO, "status");
    expect(draft()).toBe("move arm-1 slowly\nstatus");
  });
});
