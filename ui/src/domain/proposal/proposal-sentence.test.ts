import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { speak } from "../../locales/i18n";
import { type Proposed, proposalSentence } from "./proposal-sentence";

const BASE: Proposed = {
  agent: "agent",
  operation: "send_command",
  sentence: "Agent agent wants arm-1 to move arm to (0.5, 0.2, 1) m in map.",
  mission: null,
  robot: "arm-1",
  verdict: null,
  input: { robot: "arm-1", actuator: "arm", frame: "map", motion: { pose_goal: { position_m: [0.5, 0.2, 1] } } },
};
const moving = (motion: object, more: object = {}) =>
  proposalSentence({ ...BASE, input: { robot: "arm-1", actuator: "arm", frame: "map", motion, ...more } });

describe("U-2006 what an agent asks for, in German", () => {
  beforeEach(() => speak("de"));
  afterEach(() => speak("en"));

  it.each([
    [
      { pose_goal: { position_m: [0.5, 0.2, 1], speed_mps: 0.1 } },
      /nach \(0[,.]5[;,] 0[,.]2[;,] 1[,.]0\) m mit 0[,.]1 m\/s bewegen/u,
    ],
    [
      { pose_goal: { position_m: [0, 0, 1], orientation: [0, 0, 1, 0], duration_s: 4 } },
      /nach \(0[;,] 0[;,] 1\) m ausgerichtet nach \(0[;,] 0[;,] 1[;,] 0\) binnen 4 s bewegen/u,
    ],
    [{ joints: { names: ["j1"], positions_rad: [1.5], speed_radps: 0.5 } }, /auf j1 1[,.]5 mit 0[,.]5 rad\/s/u],
    [{ path: { points_m: [[0, 0, 0]] } }, /entlang von 1 Punkt bewegen/u],
    [{ velocity: { linear_mps: [0.1, 0, 0], angular_radps: [0, 0, 0] } }, /mit der Geschwindigkeit/u],
    [
      { velocity: { linear_mps: [0, 0, 0], angular_radps: [0, 0, 0.5] } },
      / m\/s und der Drehgeschwindigkeit \(0[,.]0[;,] 0[,.]0[;,] 0[,.]5\) rad\/s bewegen, in map\.$/u,
    ],
    [{ joints: { names: ["j1"], positions_rad: [1.5] } }, /auf j1 1[,.]5 bewegen/u],
    [{ gripper: { opening_m: 0.04 } }, /auf eine Öffnung von 0[,.]04 m bewegen/u],
    [{ switch: { on: true } }, /arm-1 einschalten/u],
    [{ switch: { on: false } }, /arm-1 ausschalten/u],
    [{ escape: { position_m: [0, 0, 0] } }, /heraus nach/u],
  ])("says %o", (motion, words) => {
    expect(moving(motion)).toMatch(words);
    expect(moving(motion)).toMatch(/^Agent agent möchte arm von arm-1 .*in map\.$/u);
  });

  it("gives each joint the unit that the station gives it", () => {
    const motion = { joints: { names: ["turn", "lift", "hand"], positions_rad: [1, 0.3, 2], speed_radps: 0.5 } };
    const english = "Agent agent wants arm-1 to move arm to turn 1 rad, lift 0.3 m, hand 2 at 0.5 rad/s or m/s in map.";
    const input = { robot: "arm-1", actuator: "arm", frame: "map", motion };
    expect(proposalSentence({ ...BASE, input, sentence: english })).toMatch(
      /auf turn 1 rad; lift 0[,.]3 m; hand 2 mit 0[,.]5 rad\/s oder m\/s bewegen/u,
    );
  });

  it("names the greatest force and the mission", () =>
    expect(proposalSentence({ ...BASE, mission: "weld", input: { ...(BASE.input as object), force_n: 5 } })).toMatch(
      /in map, mit höchstens 5 N, für die Mission weld\.$/u,
    ));

  it("says a call by its act and what it is about", () => {
    const call: Proposed = { ...BASE, operation: "cancel_mission", mission: "patrol", input: {}, robot: null };
    expect(proposalSentence(call)).toBe("Agent agent möchte ausführen: Mission abbrechen (patrol).");
    expect(proposalSentence({ ...call, operation: "unheard_of" })).toBe(BASE.sentence);
  });

  it("is the station's own where the motion cannot be read", () =>
    expect(moving({ pose_goal: { position_m: "there" } })).toBe(BASE.sentence));
});

it("U-2006 in English the card's own sentence stands", () => expect(proposalSentence(BASE)).toBe(BASE.sentence));
