import { afterEach, describe, expect, it } from "vitest";
import { dropToken, keepToken, onTokenInAddress, takeToken, wasRefused } from "./tab";

afterEach(() => {
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
