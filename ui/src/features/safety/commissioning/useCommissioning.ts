// The robot's commissioning as its gate last told of it: asked again while the page is shown, and renewed by each answer to a
// held button.

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import type { CommissioningRow } from "../../../generated/bindings/CommissioningRow";
import { useStation } from "../../../domain/station/station-context";
import { type HostError, toHostError } from "../../../host/host";
import { operation } from "../../../host/operations";

/** The gate tells of itself once a second. */
const EVERY_MS = 1_000;

/**
 * `error` is why the last question was not answered; the row before stays. `onRow` takes in a row that came with
 * another answer.
 */
export function useCommissioning(robot: string): {
  row: CommissioningRow | null;
  error: HostError | null;
  onRow: (row: CommissioningRow) => void;
} {
  const { host } = useStation();
  const client = useQueryClient();
  const query = useQuery({
    queryKey: ["robots", "get_commissioning", robot],
    queryFn: ({ signal }) => operation(host, "get_commissioning", { robot }, signal),
    refetchInterval: EVERY_MS,
  });
  const [failure, setFailure] = useState<Error | null>(null);
  // A query without rows forgets its error while it asks again, every second: the words would come and go with it.
  const known = query.isSuccess ? null : (query.error ?? failure);
  if (known !== failure) setFailure(known);
  const onRow = useCallback(
    (row: CommissioningRow) => client.setQueryData(["robots", "get_commissioning", robot], row),
    [client, robot],
  );
  return { row: query.data ?? null, error: failure === null ? null : toHostError(failure), onRow };
}
