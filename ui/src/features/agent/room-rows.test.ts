import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { speak } from "../../locales/i18n";
import { roomProblem } from "./room-rows";

const CLOSED = { problem: "There is no agent north.", problem_code: "agent_not_found" };

describe("U-2006 why nobody can speak in a room, in German", () => {
  beforeEach(() => speak("de"));
  afterEach(() => speak("en"));

  it("is said by the code of the refusal, with the station's own sentence as the detail", () => {
    expect(roomProblem(CLOSED)).toBe("Diesen Agenten gibt es nicht. There is no agent north.");
    expect(roomProblem({ problem: "In English." })).toBe("In English.");
    expect(roomProblem({ problem: null })).toBeNull();
  });
});

it("U-2006 in English the station's own sentence stands", () => expect(roomProblem(CLOSED)).toBe(CLOSED.problem));
