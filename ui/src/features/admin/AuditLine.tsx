import type { AuditRecord } from "../../generated/bindings/AuditRecord";
import table from "../../design/components/table.module.css";
import { formatNumber } from "../../design/format/numbers";
import { formatMoment, formatStamp } from "../../design/format/time";
import { actText, outcomeText, valueText } from "../../domain/audit/record-text";
import { subjectParts } from "../../domain/audit/subject-parts";
import { codeText, t } from "../../locales/i18n";
import { AuditDetails } from "./AuditDetails";
import styles from "./AuditList.module.css";

type AuditLineProps = {
  record: AuditRecord;
  now_ms: number;
  index: number;
  columns: number;
  isOpen: boolean;
  onToggle: () => void;
};

/** One record in a line; below it, while it is open, everything that is on record of it. */
export function AuditLine({ record, now_ms, index, columns, isOpen, onToggle }: AuditLineProps) {
  const { seq, at_wall, actor, role, origin, operation, outcome, detail } = record;
  const who = [t(`audit_origin.${origin}`), ...(role === null ? [] : [t(`role.${role}`)])].join(", ");
  const details = `audit-details-${seq}`;
  return (
    <>
      <tr className={styles.record} aria-rowindex={index} data-testid={`audit-${seq}`} onClick={onToggle}>
        <td className={`${table.number} ${table.muted} ${styles.seq}`}>{formatNumber(seq, 0)}</td>
        <td className={`${table.muted} ${styles.when}`}>
          <time dateTime={new Date(at_wall).toISOString()} title={formatMoment(at_wall)}>
            {formatStamp(at_wall, now_ms)}
          </time>
        </td>
        <td className={styles.who} title={`${actor}: ${who}`}>
          <bdi>{actor}</bdi>
        </td>
        <th scope="row" className={styles.operation}>
          <button
            type="button"
            className={styles.open}
            title={operation}
            aria-expanded={isOpen}
            aria-controls={isOpen ? details : undefined}
            data-testid={`audit-open-${seq}`}
            onClick={(event) => {
              // The row hears the same click, and would close again what this opens.
              event.stopPropagation();
              onToggle();
            }}
          >
            <span className={styles.words}>{actText(operation)}</span>
          </button>
        </th>
        <td className={styles.subject} title={detail}>
          <span className={styles.words}>
            <Subject detail={detail} />
          </span>
        </td>
        <td className={`${styles.outcome} ${outcome === "ok" ? table.muted : ""}`} title={outcome}>
          <span className={styles.words}>{outcomeText(outcome)}</span>
        </td>
      </tr>
      {isOpen && (
        <tr id={details} data-testid={details}>
          <td colSpan={columns} className={styles.wide}>
            <AuditDetails record={record} />
          </td>
        </tr>
      )}
    </>
  );
}

/** Fields of subjects that need no name in a line: their values say what they are. */
const UNNAMED = new Set(["robot", "robots"]);

function Subject({ detail }: { detail: string }) {
  return subjectParts(detail).map(({ key, text }, place) => (
    // A subject may name a field twice, and never changes once it is recorded: its place is its key.
    <span key={place} className={styles.part}>
      {key !== null && !UNNAMED.has(key) && (
        <>
          <span className={table.muted}>{codeText("audit_field", key)}</span>{" "}
        </>
      )}
      <bdi>{valueText(key, text)}</bdi>
    </span>
  ));
}
