// Pages of the audit: its records are numbered from 1 without gaps, so that a page is a range of numbers.

import type { AuditRecord } from "../../generated/bindings/AuditRecord";
import { actText, outcomeText } from "../../domain/audit/record-text";
import type { Input } from "../../host/operations";

/** Records of one page. */
export const PAGE = 200;

/** The page that ends with this record; the newest one of all for null. */
export function pageInput(last_seq: number | null): Input<"list_audit"> {
  if (last_seq === null) return { limit: PAGE };
  const after = Math.max(0, last_seq - PAGE);
  return { after, limit: Math.max(1, last_seq - after) };
}

/** The last record of the page before the one that is shown; null at the beginning of the audit. */
export function olderThan(records: readonly AuditRecord[]): number | null {
  const first = records[0]?.seq ?? 1;
  return first > 1 ? first - 1 : null;
}

/** Records with every word of a text in their line or in their codes, the newest first. */
export function found(records: readonly AuditRecord[], text: string): AuditRecord[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return records
    .filter(({ seq, actor, operation, outcome, detail }) => {
      const codes = `${operation} ${operation.replaceAll("_", " ")} ${outcome} ${detail}`;
      const line = `${seq} ${actor} ${actText(operation)} ${outcomeText(outcome)} ${codes}`.toLowerCase();
      return words.every((word) => line.includes(word));
    })
    .toReversed();
}
