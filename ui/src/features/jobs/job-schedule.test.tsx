import { describe, expect, it } from "vitest";
import { scheduleText } from "./job-schedule";
import { inGerman } from "../../testing/german";

const said = (given: object) =>
  scheduleText({ words: "in English", at: null, every_secs: null, cron_schedule: null, time_zone: "UTC", ...given });

describe("U-2006 when a job runs, in German", () => {
  inGerman();

  it.each([
    ["0 7 * * *", "täglich um 07:00"],
    ["30 18 * * MON-FRI", "Montag–Freitag um 18:30"],
    ["5 6 * * 0,6", "Sonntag und Samstag um 06:05"],
    ["*/15 * * * *", "alle 15 Minuten"],
    ["* * * * *", "jede Minute"],
    ["*/1 * * * *", "jede Minute"],
    ["*/7 * * * *", "in English"],
    ["10 * * * *", "zur Minute 10 jeder Stunde"],
    ["0 7 1 * *", "in English"],
    ["0 7 * * MON#2", "in English"],
  ])("says %s", (cron_schedule, words) => expect(said({ cron_schedule })).toBe(words));

  it("says an interval and a single time", () => {
    expect(said({ every_secs: 600 })).toBe("alle 10 min");
    expect(said({ at: "2026-03-09T07:00:00Z" })).toMatch(/^einmal: Mo.*2026.*07:00/u);
  });
});

it("U-2006 in English the station's words stand", () =>
  expect(said({ cron_schedule: "0 7 * * *" })).toBe("in English"));
