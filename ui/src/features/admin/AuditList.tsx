import { FilterField } from "../../design/fields/FilterField";
import { useState } from "react";
import type { AuditRecord } from "../../generated/bindings/AuditRecord";
import { Button } from "../../design/components/Button";
import { Notice } from "../../design/components/Notice";
import { Rows } from "../../design/components/Rows";
import table from "../../design/components/table.module.css";
import { formatNumber } from "../../design/format/numbers";
import { formatZone } from "../../design/format/time";
import { Panel } from "../../design/layout/Panel";
import { RowGap } from "../../design/layout/RowGap";
import { useRowWindow } from "../../design/layout/useRowWindow";
import { useRows } from "../../domain/station/useRows";
import { t } from "../../locales/i18n";
import { AuditLine } from "./AuditLine";
import { found, olderThan, PAGE, pageInput } from "./audit-page";
import styles from "./AuditList.module.css";

const COLUMNS = 6;

/** The records of the audit, page by page, the newest first: who did what, when, and what came of it (U-1704). */
export function AuditList() {
  const [last, setLast] = useState<number | null>(null);
  const [text, setText] = useState("");
  // The audit has no tag of its own. Most of what is recorded changes the state of a robot.
  const query = useRows("robots", "list_audit", pageInput(last));
  const newest = useRows("robots", "list_audit", { limit: 1 }).data?.rows[0]?.seq ?? 0;
  const records = query.data?.rows ?? NONE;
  const older = olderThan(records);
  const ahead = last === null ? null : last + PAGE;
  return (
    <Panel
      title={t("audit_list.title")}
      aside={
        <>
          <Range records={records} />
          <Button data-testid="audit-newest" disabled={last === null} onClick={() => setLast(null)}>
            {t("audit_list.newest")}
          </Button>
          <Button
            data-testid="audit-newer"
            disabled={ahead === null}
            onClick={() => setLast(ahead !== null && ahead < newest ? ahead : null)}
          >
            {t("audit_list.newer")}
          </Button>
          <Button data-testid="audit-older" disabled={older === null} onClick={() => setLast(older)}>
            {t("audit_list.older")}
          </Button>
          <FilterField label={t("audit_list.filter")} value={text} testId="audit-filter" onChange={setText} />
        </>
      }
    >
      <Rows query={query} what={t("audit_list.title")}>
        {({ rows }) =>
          rows.length === 0 ? (
            <Notice title={t("audit_list.none")} detail={t("audit_list.none_detail")} />
          ) : (
            <Found key={`${last ?? ""} ${text}`} all={rows.length} records={found(rows, text)} filtered={text !== ""} />
          )
        }
      </Rows>
    </Panel>
  );
}

const NONE: readonly AuditRecord[] = [];

function Range({ records }: { records: readonly AuditRecord[] }) {
  const [first, last] = [records[0], records.at(-1)];
  if (!first || !last) return null;
  return (
    <span className={styles.range} data-testid="audit-range">
      {t("audit_list.range", { from: formatNumber(first.seq, 0), to: formatNumber(last.seq, 0) })}
    </span>
  );
}

function Found({ all, records, filtered }: { all: number; records: readonly AuditRecord[]; filtered: boolean }) {
  return (
    <>
      <p className={styles.found} role="status">
        {filtered && t("audit_list.found", { count: records.length })}
      </p>
      {records.length === 0 ? (
        <Notice title={t("audit_list.none_found")} detail={t("audit_list.none_found_detail", { count: all })} />
      ) : (
        <Table records={records} />
      )}
    </>
  );
}

function Table({ records }: { records: readonly AuditRecord[] }) {
  // Read once: the heading names the zone of this moment, and each row only differs from it.
  const [now_ms] = useState(() => Date.now());
  const [opened, setOpened] = useState<number | null>(null);
  const { scroller, from, to, before_px, after_px } = useRowWindow(records.length);
  return (
    <div
      ref={scroller}
      className={`${table.scroll} ${styles.scroll}`}
      role="group"
      aria-label={t("audit_list.title")}
      tabIndex={0}
    >
      <table className={table.table} aria-rowcount={records.length + 1} data-testid="audit-records">
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col" className={`${table.number} ${styles.seq}`}>
              {t("audit_list.seq")}
            </th>
            <th scope="col" className={styles.when}>
              {t("audit_list.when", { zone: formatZone(now_ms) })}
            </th>
            <th scope="col">{t("audit_list.who")}</th>
            <th scope="col">{t("audit_list.what")}</th>
            <th scope="col">{t("audit_list.about")}</th>
            <th scope="col">{t("audit_list.outcome")}</th>
          </tr>
        </thead>
        <tbody>
          <RowGap height_px={before_px} columns={COLUMNS} />
          {records.slice(from, to).map((record, place) => (
            <AuditLine
              key={record.seq}
              record={record}
              now_ms={now_ms}
              index={from + place + 2}
              columns={COLUMNS}
              isOpen={opened === record.seq}
              onToggle={() => setOpened(opened === record.seq ? null : record.seq)}
            />
          ))}
          <RowGap height_px={after_px} columns={COLUMNS} />
        </tbody>
      </table>
    </div>
  );
}
