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
