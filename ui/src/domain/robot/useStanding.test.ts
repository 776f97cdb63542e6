import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { speak } from "../../locales/i18n";
import { standingText } from "./useStanding";

const standing = (acked: number, total: number, not_confirmed = 0) =>
  standingText({ held: total, acked, total, not_confirmed });

describe("the robots that open stops hold", () => {
  it("are counted in whole sentences, one of them too", () => {
    expect([standing(4, 4), standing(1, 4), standing(1, 1), standing(1, 1, 1)]).toEqual([
      "Stopped: all 4 robots",
      "Stopped: 1 of 4 robots",
      "Stopped: 1 robot",
      "Stop not confirmed: 1 of 1 robot",
    ]);
  });

  describe("in German", () => {
    beforeEach(() => speak("de"));
    afterEach(() => speak("en"));
    it("too", () =>
      expect([standing(4, 4), standing(0, 1), standing(1, 1), standing(3, 4, 1)]).toEqual([
        "Gestoppt: alle 4 Roboter",
        "Gestoppt: 0 von 1 Roboter",
        "Gestoppt: 1 Roboter",
        "Stopp nicht bestätigt: 1 von 4 Robotern",
      ]));
  });
});
