// The newest records of the audit: read once, then only those that came since.

import { useQuery, useQueryClient, type UseQueryResult } from "@tanstack/react-query";
import type { AuditRecord } from "../../generated/bindings/AuditRecord";
import type { Host } from "../../host/host";
import { operation } from "../../host/operations";
import { useStation } from "./station-context";

/** Records that are kept; older ones are left out. */
export const RECORDS_MAX = 1_000;
/** The audit has no tag of its own: with these something has changed that is on record. */
const TAGS = ["robots", "safety", "proposals", "missions"] as const;
const KEY = [TAGS, "list_audit"] as const;
const NONE: readonly AuditRecord[] = [];

/** The newest records, oldest first; none before they were read. */
export function useRecords(): readonly AuditRecord[] {
  return useRecordsQuery().data ?? NONE;
}

/** The reading of the newest records, oldest first. */
export function useRecordsQuery(): UseQueryResult<readonly AuditRecord[]> {
  const { host } = useStation();
  const queries = useQueryClient();
  const queryFn = ({ signal }: { signal: AbortSignal }) =>
    readOn(host, queries.getQueryData<readonly AuditRecord[]>(KEY) ?? NONE, signal);
  return useQuery({ queryKey: KEY, queryFn });
}

/** `known` with what came since. */
export async function readOn(
  host: Host,
  known: readonly AuditRecord[],
  signal: AbortSignal,
): Promise<readonly AuditRecord[]> {
  const after = known.at(-1)?.seq;
  const newest = () => operation(host, "list_audit", { limit: RECORDS_MAX }, signal);
  if (after === undefined) return newest();
  const since = await operation(host, "list_audit", { after, limit: RECORDS_MAX }, signal);
  // A whole page may not be all that came.
  return since.length < RECORDS_MAX ? [...known, ...since].slice(-RECORDS_MAX) : newest();
}
