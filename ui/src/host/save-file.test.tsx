import { afterEach, expect, it, vi } from "vitest";
import { saveFile } from "./save-file";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("keeps the address of a download until the browser has read it", () => {
  vi.useFakeTimers();
  const revoked: string[] = [];
  vi.stubGlobal("URL", { createObjectURL: () => "blob:report", revokeObjectURL: (url: string) => revoked.push(url) });
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockReturnValue();
  saveFile("report.md", "# Night shift");
  vi.advanceTimersByTime(30_000);
  expect(revoked).toEqual([]);
  vi.advanceTimersByTime(60_000);
  expect(revoked).toEqual(["blob:report"]);
});
