// The limits of robots, asked for one robot at a time: whoever asks for the same ones shares the answer.

import type { RobotRow } from "../../../generated/bindings/RobotRow";
import type { Host } from "../../../host/host";
import { operation } from "../../../host/operations";

/** A question for each of these robots, in their order. */
export function limitQueries(host: Host, robots: readonly Pick<RobotRow, "id">[]) {
  return robots.map(({ id }) => ({
    queryKey: ["constraints", "list_constraints", id],
    queryFn: () => operation(host, "list_constraints", { robot: id }),
  }));
}
