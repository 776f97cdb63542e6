import { afterEach, describe, expect, it, vi } from "vitest";
import { deskMemory } from "./memory";

const refuse = () => {
  throw new DOMException("denied", "SecurityError");
};

afterEach(() => {
  vi.restoreAllMocks();
  for (const key of deskMemory.keys()) deskMemory.write(key, null);
});

describe("the memory of a desk", () => {
  it("holds in the page what a browser that keeps nothing refuses", () => {
    vi.spyOn(globalThis, "localStorage", "get").mockImplementation(refuse);
    expect([deskMemory.read("a"), deskMemory.keys()]).toEqual([null, []]);
    expect(deskMemory.write("a", "1")).toBe(false);
    expect([deskMemory.read("a"), deskMemory.keys()]).toEqual(["1", ["a"]]);
  });

  it("shows what is new where the browser can be read but has no room", () => {
    deskMemory.write("a", "old");
    const full = vi.spyOn(Storage.prototype, "setItem").mockImplementation(refuse);
    vi.spyOn(Storage.prototype, "removeItem").mockImplementation(refuse);
    expect(deskMemory.write("a", "new")).toBe(false);
    expect([deskMemory.read("a"), localStorage.getItem("a")]).toEqual(["new", "old"]);
    deskMemory.write("a", null);
    expect(deskMemory.read("a")).toBeNull();
    full.mockRestore();
    expect(deskMemory.write("a", "newer")).toBe(true);
    expect([deskMemory.read("a"), localStorage.getItem("a")]).toEqual(["newer", "newer"]);
  });
});
