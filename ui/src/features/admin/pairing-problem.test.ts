import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { PairingProblem } from "../../generated/bindings/PairingProblem";
import { speak } from "../../locales/i18n";
import de from "../../locales/station.de.json";
import { pairingProblem } from "./pairing-problem";

/** A kind without a German sentence does not compile. */
const PROBLEMS: Readonly<Record<PairingProblem["code"], string>> = de.pairing_problem;

const said = (problem_kind: PairingProblem, problem = "In English.") => pairingProblem({ problem, problem_kind });

describe("U-2006 why a try to pair failed, in German", () => {
  beforeEach(() => speak("de"));
  afterEach(() => speak("en"));

  it("is said by its kind, with the robots it names", () => {
    expect(said({ code: "given_up" })).toBe(PROBLEMS.given_up);
    expect(said({ code: "other_manifest", robot: "rover-1", sent: "rover-2" })).toBe(
      "Das Gate von rover-1 hat das Manifest von rover-2 geschickt.",
    );
    expect(said({ code: "known_otherwise", robot: "rover-1" })).toContain("robots/rover-1.toml entfernen");
    expect(pairingProblem({ problem: null })).toBeNull();
  });

  it("says a refusal of the station as every refusal, and keeps its own words", () => {
    const message = "A robot rover-1 is there already.";
    expect(said({ code: "refused", refusal: "robot_exists", message }, message)).toBe(de.error.robot_exists);
    expect(said({ code: "refused", refusal: "of_tomorrow", message }, message)).toBe(`${PROBLEMS.refused} ${message}`);
    expect(said({ code: "failed", message: "Locked." }, "Locked.")).toBe(`${PROBLEMS.failed} Locked.`);
  });

  it("is the station's own sentence where it knows no kinds", () =>
    expect(pairingProblem({ problem: "In English." })).toBe("In English."));
});

it("U-2006 in English the station's own sentence stands", () => {
  expect(said({ code: "given_up" })).toBe("In English.");
  expect(said({ code: "refused", refusal: "robot_exists", message: "There." }, "There.")).toBe("There.");
});
