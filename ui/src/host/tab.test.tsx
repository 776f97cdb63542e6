import { afterEach, describe, expect, it, vi } from "vitest";
import { LiveStore } from "./live-store";
import { dropToken, keepAgent, keepToken, onTokenInAddress, takeToken, wasRefused } from "./tab";

afterEach(() => {
  vi.restoreAllMocks();
  sessionStorage.clear();
  location.hash = "";
});

describe("the token of a tab", () => {
  it.each([
    ["#token=a%2Bb", "a+b"],
    ["#token=100%", "100%"],
  ])("is taken out of %s", (hash, token) => {
    location.hash = hash;
    expect([takeToken(), location.hash]).toEqual([token, ""]);
  });

  it("is told of while the page is open", async () => {
    const told = await new Promise<string>((done) => {
      const end = onTokenInAddress(() => {
        end();
        done(location.hash);
      });
      location.hash = "/missions";
      location.hash = "token=new";
    });
    expect(told).toBe("#token=new");
  });

  it("counts as refused until another is given", () => {
    expect(wasRefused()).toBe(false);
    keepToken("old");
    dropToken();
    expect([takeToken(), wasRefused()]).toEqual([null, true]);
    keepToken("new");
    expect([takeToken(), wasRefused()]).toEqual(["new", false]);
  });
});

describe("a browser that keeps nothing", () => {
  const refuse = () => {
    throw new DOMException("denied", "SecurityError");
  };

  it("works with the token in the address where the storage can be read but not written", () => {
    vi.spyOn(Storage.prototype, "setItem").mockImplementation(refuse);
    location.hash = "#token=a%2Bb";
    expect([takeToken(), location.hash, takeToken()]).toEqual(["a+b", "", "a+b"]);
    const store = new LiveStore();
    keepAgent(store);
    store.chooseAgent("night");
    keepAgent(store);
    expect(store.agent).toBe("night");
    store.chooseAgent(null);
    dropToken();
  });

  it("hands the token from the sign-in to the page in its address, and the window works until it is left", () => {
    for (const name of ["getItem", "setItem", "removeItem"] as const)
      vi.spyOn(Storage.prototype, name).mockImplementation(refuse);
    expect(takeToken()).toBeNull();
    keepToken("a+b");
    expect(location.hash).toBe("#token=a%2Bb");
    expect([takeToken(), location.hash, takeToken()]).toEqual(["a+b", "", "a+b"]);
    const store = new LiveStore();
    keepAgent(store);
    store.chooseAgent("night");
    expect(store.agent).toBe("night");
    dropToken();
    expect([takeToken(), wasRefused()]).toEqual([null, true]);
  });
});
