// Names that a form offers for the parts of entries: those of the robots of the mission first.

import type { MissionGraph } from "../../../generated/bindings/MissionGraph";
import type { RobotRow } from "../../../generated/bindings/RobotRow";

/** Parts of a new entry, and the values that are offered for parts, by their names. */
export type Offers = {
  given: Readonly<Record<string, unknown>>;
  suggestions: Readonly<Record<string, readonly string[]>>;
};

/** The offers to a mission with the robots `own`. */
export function offersOf(own: readonly string[], robots: readonly RobotRow[], graph: MissionGraph): Offers {
  const rows = robots.filter(({ id }) => own.includes(id));
  const [row] = rows;
  const actuator = row?.actuators[0]?.id;
  return {
    given: row === undefined || actuator === undefined ? {} : givenOf(row, actuator),
    suggestions: {
      robot: own,
      actuator: distinct(rows.flatMap(({ actuators }) => actuators.map(({ id }) => id))),
      frame: distinct(rows.flatMap(({ frames }) => frames)),
      // The station tells of no parts but in missions that lock them; of a wrong one it names the nearest.
      path: distinct(graph.nodes.flatMap(({ resources }) => resources)).filter((path) =>
        own.some((robot) => path.startsWith(`${robot}/`)),
      ),
    },
  };
}

function givenOf({ id, site }: RobotRow, actuator: string): Offers["given"] {
  return {
    robot: id,
    actuator,
    path: `${id}/${actuator}`,
    topic_pattern: `${site}/${id}/out/state/battery`,
    world_state_key_template: `${id}.battery`,
  };
}

function distinct(names: readonly string[]): readonly string[] {
  return [...new Set(names)].toSorted();
}
