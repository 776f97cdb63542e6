import { describe, expect, it } from "vitest";
import { keyPath, placeOf, providerPath, topicPath, type WorldPlace } from "./world-place";

/** As the router hands them on: it decodes the whole address first. */
function check(path: string, place: WorldPlace) {
  const [first, second, third] = decodeURI(path).split("/").filter(Boolean).slice(1);
  expect(placeOf(first, second, third)).toEqual(place);
}

describe("U-202 the address of the world screen", () => {
  it("names nothing", () => check("/world", { view: "state", robot: null, key: null }));
  it("names a robot", () => check("/world/arm-1", { view: "state", robot: "arm-1", key: null }));
  it("names a key", () => check(keyPath("person.location"), { view: "state", robot: null, key: "person.location" }));
  it("names a topic with its slashes", () =>
    check(topicPath("lab/cam-1/**"), { view: "topics", topic: "lab/cam-1/**" }));
  it.each(["lab/100%", "0/a%2Fb/scan", "lab/%zz"])("names the topic %s as its publisher does", (topic) => {
    check(topicPath(topic), { view: "topics", topic });
    check(providerPath("new", topic), { view: "providers", provider: "new", topic });
  });
  it("names what somebody has typed", () =>
    expect(placeOf("topics", "100%", undefined)).toEqual({ view: "topics", topic: "100%" }));
  it("names a provider", () => check(providerPath("cp-1"), { view: "providers", provider: "cp-1", topic: null }));
  it("names a new provider of a topic", () =>
    check(providerPath("new", "lab/x"), { view: "providers", provider: "new", topic: "lab/x" }));
});
