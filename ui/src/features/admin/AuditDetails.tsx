import type { AuditRecord } from "../../generated/bindings/AuditRecord";
import { Button } from "../../design/components/Button";
import { formatNumber } from "../../design/format/numbers";
import { formatMoment } from "../../design/format/time";
import { actText, outcomeText, valueText } from "../../domain/audit/record-text";
import { subjectParts } from "../../domain/audit/subject-parts";
import { codeText, t } from "../../locales/i18n";
import styles from "./AuditList.module.css";
import { useCopy } from "../../design/components/useCopy";

/** A field of a record: its name, its value in words, and the code that the record holds where that is another. */
type Field = { name: string; text: string; code?: string; isKey?: boolean };

const CLOCK_DIGITS = 3;

/** Everything that is on record: the subject field by field, the act, its outcome, the actor, the times, the hashes. */
export function AuditDetails({ record }: { record: AuditRecord }) {
  const { outcome, copy } = useCopy();
  return (
    <div className={styles.details} role="group" aria-label={t("audit_list.details_of", { seq: record.seq })}>
      <dl className={styles.facts}>
        {[...actFields(record), ...subjectFields(record.detail), ...proofFields(record)].map(
          ({ name, text, code, isKey }, place) => (
            <div key={place}>
              <dt>{name}</dt>
              <dd>
                {isKey ? <code>{text}</code> : <bdi>{text}</bdi>}
                {code !== undefined && code !== text && (
                  <>
                    {" "}
                    <code className={styles.code}>{code}</code>
                  </>
                )}
              </dd>
            </div>
          ),
        )}
      </dl>
      <Button
        size="row"
        data-testid={`audit-copy-${record.seq}`}
        onClick={() => void copy(JSON.stringify(record, null, 2))}
      >
        {t(outcome === "copied" ? "audit_list.copied" : "audit_list.copy")}
      </Button>
      {outcome === "failed" && <p role="status">{t("common.copy_failed")}</p>}
    </div>
  );
}

function actFields({ operation, outcome, actor, role, origin, at_wall, at_mono }: AuditRecord): Field[] {
  return [
    { name: t("audit_list.what"), text: actText(operation), code: operation },
    { name: t("audit_list.outcome"), text: outcomeText(outcome), code: outcome },
    { name: t("audit_list.who"), text: actor },
    {
      name: t("audit_list.origin"),
      text: role === null ? t(`audit_origin.${origin}`) : `${t(`audit_origin.${origin}`)}, ${t(`role.${role}`)}`,
    },
    { name: t("audit_list.time"), text: formatMoment(at_wall) },
    { name: t("audit_list.station_clock"), text: `${formatNumber(at_mono / 1_000, CLOCK_DIGITS)} s` },
  ];
}

function subjectFields(detail: string): Field[] {
  if (detail === "") return [];
  return subjectParts(detail).map(({ key, text }) => ({
    name: key === null ? t("audit_list.about") : codeText("audit_field", key),
    text: valueText(key, text),
    code: text,
  }));
}

/** Bases of the record and its links to the others; hashes are hex. */
function proofFields({ verdict_id, set_version, epoch, station, input_hash, prev_hash, hash }: AuditRecord): Field[] {
  const given: [name: string, value: string | number | null, isKey: boolean][] = [
    [t("audit_list.verdict"), verdict_id, true],
    [t("audit_list.set_version"), set_version, false],
    [t("audit_list.epoch"), epoch, false],
    [t("audit_list.station"), station, false],
    [t("audit_list.input_hash"), input_hash, true],
    [t("audit_list.prev_hash"), prev_hash, true],
    [t("audit_list.hash"), hash, true],
  ];
  return given.flatMap(([name, value, isKey]) => (value === null ? [] : [{ name, text: `${value}`, isKey }]));
}
