import { act, renderHook } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { saveDraft, suggest, useDraft } from "./draft";

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

  it("is not taken for the end of a longer sentence", () => {
    saveDraft(TO, "What is the status");
    suggest(TO, "status");
    expect(draft()).toBe("What is the status\nstatus");
  });

  it("that ends in a blank comes once too", () => {
    saveDraft(TO, "Now");
    suggest(TO, "move arm-1 to ");
    suggest(TO, "move arm-1 to ");
    expect(draft()).toBe("Now\nmove arm-1 to ");
  });

  it("that was sent does not give way when somebody writes the same words", () => {
    suggest(TO, "status");
    saveDraft(TO, "");
    saveDraft(TO, "status");
    suggest(TO, "what do you see");
    expect(draft()).toBe("status\nwhat do you see");
  });

  it("that was changed is somebody's words", () => {
    suggest(TO, "move arm-1");
    saveDraft(TO, "move arm-1 slowly");
    suggest(TO, "status");
    expect(draft()).toBe("move arm-1 slowly\nstatus");
  });
});

it("a draft is written on where the browser's store is full", () => {
  const full = vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("full", "QuotaExceededError");
  });
  const { result } = renderHook(() => useDraft(TO));
  act(() => saveDraft(TO, "drive rover-1"));
  expect(result.current).toBe("drive rover-1");
  full.mockRestore();
  act(() => saveDraft(TO, ""));
  expect(result.current).toBe("");
});
