// The goals and motions of a mission in another language than the station's English.

import type { MissionGoalPhrase } from "../../generated/bindings/MissionGoalPhrase";
import type { MissionMotionPhrase } from "../../generated/bindings/MissionMotionPhrase";
import type { MissionStart } from "../../generated/bindings/MissionStart";
import { exactText } from "../../design/fields/decimal";
import { hasStationWords, stationText } from "../../locales/station-words";
import { actText } from "../audit/record-text";
import { cronText, intervalText } from "../schedule/cron-text";
import { aside, numberAside, numbersAside, numbersText, timeText } from "./phrase-values";

/** When a run begins; the station's English where the window has no words of its own. */
export function startText(start: MissionStart | undefined, english: string): string {
  return (start !== undefined && hasStationWords() ? startPhrase(start) : null) ?? english;
}

/** A goal in a phrase. */
export function goalText(goal: MissionGoalPhrase | undefined, english: string): string {
  return (goal && goalPhrase(goal)) ?? english;
}

/** When a run or a job begins; null where the window has no words of its own. */
export function startPhrase(start: MissionStart): string | null {
  switch (start.code) {
    case "cron":
      return cronText(start.cron) ?? stationText("mission_start", start.code, start);
    case "at":
      return stationText("mission_start", start.code, { time: timeText(start.time) });
    case "every":
      return stationText("mission_start", start.code, { span: intervalText(start.secs) });
    case "late":
      return stationText("mission_start", start.code, { start: startPhrase(start.start) });
    case "at_once":
    case "spawned":
    case "first_time":
    case "whenever":
    case "never":
    case "failed":
      return stationText("mission_start", start.code, start);
  }
}

/** A goal, a step or the deed of a job. */
export function goalPhrase(goal: MissionGoalPhrase): string | null {
  const said = (given: object, behind = "") => {
    const text = stationText("mission_goal", goal.code, given);
    return text === null ? null : `${text}${behind}`;
  };
  switch (goal.code) {
    case "wish":
      return said(goal, aside("until", goal.rule === null ? null : { rule: goal.rule }));
    case "named":
      return said({ name: goal.name, does: goalPhrase(goal.does) });
    case "call":
      return said({ act: actText(goal.operation) }, goal.input === null ? "" : ` ${goal.input}`);
    case "moves": {
      const framed = aside("frame", goal.frame === null ? null : { frame: goal.frame });
      return said(
        { target: goal.target, motion: motionPhrase(goal.motion) },
        `${numberAside("force", goal.force_n)}${framed}`,
      );
    }
    case "wait_until":
      return said({ rule: goal.rule, span: intervalText(goal.secs) });
    case "wait":
      return said({ span: intervalText(goal.secs) });
    case "name":
    case "turn":
    case "nothing":
      return said(goal);
  }
}

function motionPhrase(motion: MissionMotionPhrase): string | null {
  const said = (given: object, behind = "") => {
    const text = stationText("mission_motion", motion.code, given);
    return text === null ? null : `${text}${behind}`;
  };
  switch (motion.code) {
    case "goes":
      return said(
        { to: numbersText(motion.to_m) },
        `${numbersAside("orientation", motion.orientation ?? [])}${numberAside("speed", motion.speed)}`,
      );
    case "follows":
      return said({ points: motion.points, to: numbersText(motion.to_m) }, numberAside("speed", motion.speed));
    case "drives":
      return said({ velocity: numbersText(motion.velocity_mps) }, numbersAside("turning", motion.turning_radps));
    case "joints": {
      const places = motion.joints.map(({ joint, at }) => `${joint} ${exactText(at)}`).join(", ");
      return said({ places }, numberAside("joint_speed", motion.speed));
    }
    case "opens":
      return said({ opening: exactText(motion.opening_m) }, numberAside("speed", motion.speed));
    case "leaves":
      return said({ to: numbersText(motion.to_m) });
    case "switches_on":
    case "switches_off":
      return said({});
  }
}
