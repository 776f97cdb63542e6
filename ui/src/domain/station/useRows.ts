// Rows of a reading operation, kept until a tag outdates them.

import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import type { Tag } from "../../generated/bindings/Tag";
import { aboutAgent, canAsk, type Input, operation, type OperationName, type Output } from "../../host/operations";
import { rowTags } from "../../host/tags";
import { useStation } from "./station-context";
import { useLive } from "./useLive";

/** An answer with the local time it was asked at (`performance.now`), so that ages in it can go on counting. */
export type Stamped<Rows> = { rows: Rows; asked_ms: number };

/** Rows of `name` under a tag while they are `wanted`; those of one agent are asked of the one this window shows. */
export function useRows<Name extends OperationName>(
  tag: Tag,
  name: Name,
  input: Input<Name>,
  wanted = true,
): UseQueryResult<Stamped<Output<Name>>> {
  const { host } = useStation();
  const agent = useLive((store) => store.agent);
  const asked = aboutAgent(name, input, agent);
  return useQuery({
    queryKey: [rowTags(tag, asked), name, asked],
    enabled: wanted && canAsk(name, agent),
    queryFn: async ({ signal }) => {
      // Before the call: an age in the answer is older by the time that the answer took, never younger.
      const asked_ms = performance.now();
      return { rows: await operation(host, name, asked, signal), asked_ms };
    },
  });
}
