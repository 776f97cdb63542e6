// Records of the audit: the newest, read once and then only those that came since; their number; and those of a gap.

import { useQuery, useQueryClient } from "@tanstack/react-query";
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
  const { host } = useStation();
  const queries = useQueryClient();
  const queryFn = ({ signal }: { signal: AbortSignal }) =>
    readOn(host, queries.getQueryData<readonly AuditRecord[]>(KEY) ?? NONE, signal);
  return useQuery({ queryKey: KEY, queryFn }).data ?? NONE;
}

/** The number of the newest record, 0 of an empty audit; null before it was read. */
export function useNewestRecord(): number | null {
  const { host } = useStation();
  const queryFn = async ({ signal }: { signal: AbortSignal }) =>
    (await operation(host, "list_audit", { limit: 1 }, signal)).at(-1)?.seq ?? 0;
  return useQuery({ queryKey: [...KEY, "newest"], queryFn }).data ?? null;
}

/** The records after a number, oldest first, read at `at_ms` and not again; undefined until then. */
export function useRecordsSince(after: number | null, at_ms: number | null): readonly AuditRecord[] | undefined {
  const { host } = useStation();
  const wanted = after !== null && at_ms !== null;
  const queryFn = ({ signal }: { signal: AbortSignal }) => recordsAfter(host, after ?? 0, signal);
  // Without a tag nothing outdates it: what happened in a gap is over.
  const query = useQuery({ queryKey: [[], "list_audit", after, at_ms], queryFn, enabled: wanted });
  return at_ms !== null && after === null ? NONE : query.data;
}

/** `known` with what came since. */
export async function readOn(
  host: Host,
  known: readonly AuditRecord[],
  signal: AbortSignal,
): Promise<readonly AuditRecord[]> {
  const after = known.at(-1)?.seq;
  if (after === undefined) return operation(host, "list_audit", { limit: RECORDS_MAX }, signal);
  return [...known, ...(await recordsAfter(host, after, signal))].slice(-RECORDS_MAX);
}

/** Records after a number; of more than a page, the newest. */
async function recordsAfter(host: Host, after: number, signal: AbortSignal): Promise<readonly AuditRecord[]> {
  const since = await operation(host, "list_audit", { after, limit: RECORDS_MAX }, signal);
  // A whole page may not be all that came.
  return since.length < RECORDS_MAX ? since : operation(host, "list_audit", { limit: RECORDS_MAX }, signal);
}
