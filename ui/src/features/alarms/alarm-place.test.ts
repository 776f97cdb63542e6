import { describe, expect, it } from "vitest";
import { type AlarmPlace, listPath, placeOf } from "./alarm-place";

function check(path: string, place: AlarmPlace) {
  const [first, second, third] = path.split("/").filter(Boolean).slice(1);
  expect(placeOf(first, second, third)).toEqual(place);
}

describe("U-202 the address of the alarm screen", () => {
  it("names what is active if it names nothing", () =>
    check("/alarms", { view: "list", preset: "active", alarm: null }));
  it("names an alarm", () => check("/alarms/am-1", { view: "list", preset: "active", alarm: "am-1" }));
  it("names an alarm within a preset", () =>
    check(listPath("shelved", "am-1"), { view: "list", preset: "shelved", alarm: "am-1" }));
  it("names a rule", () => check("/alarms/rules/al-1", { view: "rules", rule: "al-1", key: null }));
  it("names a new rule on a key", () =>
    check("/alarms/rules/new/person.location", { view: "rules", rule: "new", key: "person.location" }));
  it("takes a condition with a percent sign as it is", () =>
    expect(placeOf("rules", "new", "air.humidity = '50%'")).toEqual({
      view: "rules",
      rule: "new",
      key: "air.humidity = '50%'",
    }));
  it("names the events", () => check("/alarms/events", { view: "events" }));
  it("names the figures", () => check("/alarms/figures", { view: "figures" }));
});
