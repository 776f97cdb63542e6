import { FilterField } from "../../design/fields/FilterField";
import { useState } from "react";
import type { AlertRow } from "../../generated/bindings/AlertRow";
import table from "../../design/components/table.module.css";
import { RowActs } from "../../domain/station/RowActs";
import { formatNumber } from "../../design/format/numbers";
import { formatWholeAge } from "../../design/format/time";
import { useOperation } from "../../domain/station/useOperation";
import { useLive } from "../../domain/station/useLive";
import { t } from "../../locales/i18n";
import { AlarmValue } from "./AlarmValue";
import { useTicked } from "../../domain/station/useTicked";
import styles from "./Rules.module.css";

type RuleTableProps = {
  rows: readonly AlertRow[];
  /** Local time at which they were asked for. */
  asked_ms: number;
  edited: string | null;
  onEdit: (id: string) => void;
};

/** An agent may have thousands of rules; a filter finds those that are not made. */
const ROWS_MAX = 200;

/** Each rule with where it stands, what its keys say and how often it fired. */
export function RuleTable({ rows, asked_ms, edited, onEdit }: RuleTableProps) {
  const [filter, setFilter] = useState("");
  const wanted = filter.trim().toLowerCase();
  const found = rows.filter(({ predicate, description, mission_id }) =>
    `${predicate} ${description ?? ""} ${mission_id ?? ""}`.toLowerCase().includes(wanted),
  );
  return (
    <>
      <div className={styles.filter}>
        <FilterField label={t("rules.filter")} value={filter} onChange={setFilter} />
        <span className={styles.small} role="status">
          {found.length === rows.length && rows.length <= ROWS_MAX
            ? ""
            : t("rules.found", {
                count: rows.length,
                shown: formatNumber(Math.min(found.length, ROWS_MAX), 0),
                all: formatNumber(rows.length, 0),
              })}
        </span>
      </div>
      <div className={table.scroll}>
        <table className={table.table} data-testid="rule-table">
          <thead>
            <tr>
              <th scope="col">{t("rules.rule")}</th>
              <th scope="col">{t("rules.state")}</th>
              <th scope="col">{t("rules.now")}</th>
              <th scope="col" className={table.number}>
                {t("rules.fires")}
              </th>
              <th scope="col">
                <span className="visually-hidden">{t("rules.acts")}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {found.slice(0, ROWS_MAX).map((row) => (
              <RuleLine
                key={row.id}
                row={row}
                asked_ms={asked_ms}
                edited={row.id === edited}
                onEdit={() => onEdit(row.id)}
              />
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

type RuleLineProps = { row: AlertRow; asked_ms: number; edited: boolean; onEdit: () => void };

function RuleLine({ row, asked_ms, edited, onEdit }: RuleLineProps) {
  const agent = useLive((store) => store.agent);
  const since = useTicked((now_ms) => formatWholeAge(Math.max(0, now_ms - row.since * 1_000)));
  const about = useTicked((now_ms) => aboutOf(row, now_ms).join(" · "));
  return (
    <tr data-testid={`rule-${row.id}`} data-state={row.state} aria-current={edited ? "true" : undefined}>
      <td className={table.wrap}>
        <code className={styles.predicate}>{row.predicate}</code>
        <p>{row.description}</p>
        <p className={styles.small}>{about}</p>
        {row.dangling_keys.length > 0 && (
          <p className={styles.odd}>{t("rules.dangling", { keys: row.dangling_keys.join(", ") })}</p>
        )}
        {row.woke_too_often && <p className={styles.odd}>{t("rules.woke_too_often")}</p>}
      </td>
      <td className={table.wrap}>
        {row.paused ? t("rules.paused") : t(`rule_state.${row.state}`)}
        <p className={`${styles.small} ${styles.since}`}>{t("rules.since", { age: since })}</p>
      </td>
      <td className={table.wrap}>
        {row.values_now.map((value) => (
          <AlarmValue key={value.key} agent={agent} value={value} asked_ms={asked_ms} stale={false} />
        ))}
      </td>
      <td className={`${table.number} ${table.wrap}`}>
        {formatNumber(row.fires, 0)}
        {row.suppressed > 0 && <p className={styles.small}>{t("rules.suppressed", { count: row.suppressed })}</p>}
      </td>
      <td className={table.wrap}>
        <RuleActs row={row} onEdit={onEdit} />
      </td>
    </tr>
  );
}

/** The alarm of a rule that was removed stays until somebody has seen it. */
function RuleActs({ row, onEdit }: { row: AlertRow; onEdit: () => void }) {
  const remove = useOperation("unregister_alert");
  return (
    <RowActs
      kind="rule"
      id={row.id}
      edit={t("rules.edit_name", { rule: row.predicate })}
      remove={t("rules.remove_name", { rule: row.predicate })}
      doRemove={t("rules.do_remove")}
      removal={remove}
      onEdit={onEdit}
      onRemove={(onDone) => remove.run({ alert_id: row.id }, onDone)}
    />
  );
}

function aboutOf({ alarm, mission_id, last_fired_at, quota_left }: AlertRow, now_ms: number): string[] {
  return [
    t(alarm === null ? "rules.makes_event" : "rules.makes_alarm"),
    ...(mission_id === null ? [] : [t("alarms.of_mission", { mission: mission_id })]),
    last_fired_at === null
      ? t("rules.never_fired")
      : t("rules.fired", { age: formatWholeAge(now_ms - last_fired_at * 1_000) }),
    t("rules.quota", { count: quota_left }),
  ];
}
