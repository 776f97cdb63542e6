// The judgement of a motion while it is being made up.

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { CommandChecked } from "../../../generated/bindings/CommandChecked";
import type { RawCommand } from "../../../generated/bindings/RawCommand";
import { useRested } from "../../../design/fields/useRested";
import { useStation } from "../../../domain/station/station-context";
import { operation } from "../../../host/operations";

/** A pointer that drags is asked about no more often. */
const REST_MS = 60;
/** The robot may have moved meanwhile. */
const AGAIN_MS = 1_000;

/** The last judgement, and true if it is one of exactly this command. */
export type GoalCheck = { checked: CommandChecked | null; isOfThis: boolean; error: Error | null };

/** Asks for the judgement of `command` as it changes, and again every second; nothing is sent to the robot. */
export function useGoalCheck(command: RawCommand | null): GoalCheck {
  const { host } = useStation();
  const wanted = command && JSON.stringify(command);
  const rested = useRested(wanted, REST_MS);
  const query = useQuery({
    queryKey: ["check_command", rested ?? wanted],
    enabled: command !== null && rested !== null,
    queryFn: ({ signal }) => operation(host, "check_command", JSON.parse(rested ?? "null"), signal),
    // The scene would flicker between two judgements of a drag.
    placeholderData: keepPreviousData,
    refetchInterval: AGAIN_MS,
    // A judgement kept of a goal that the pointer comes back to would count as one of now.
    gcTime: 0,
    // The next look comes in a second anyway.
    retry: false,
  });
  const isOfThis = wanted !== null && wanted === rested && query.isSuccess && !query.isPlaceholderData;
  return { checked: query.data ?? null, isOfThis, error: query.error };
}
