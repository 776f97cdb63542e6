import type { ContextRow } from "../../generated/bindings/ContextRow";
import table from "../../design/components/table.module.css";
import { RowActs } from "../../domain/station/RowActs";
import { formatNumber, formatQuantity } from "../../design/format/numbers";
import { ageMs } from "../../design/format/freshness";
import { formatWholeAge } from "../../design/format/time";
import { useLive } from "../../domain/station/useLive";
import { useOperation } from "../../domain/station/useOperation";
import { t } from "../../locales/i18n";
import { rejectTexts } from "./provider-words";
import styles from "./Providers.module.css";

type ProviderTableProps = {
  rows: readonly ContextRow[];
  asked_ms: number;
  edited: string | null;
  onEdit: (id: string) => void;
};

/** Each provider with its state, its rates, and what it rejects and why (WS-50). */
export function ProviderTable({ rows, asked_ms, edited, onEdit }: ProviderTableProps) {
  return (
    <div className={table.scroll}>
      <table className={table.table} data-testid="providers">
        <thead>
          <tr>
            <th scope="col">{t("providers.provider")}</th>
            <th scope="col">{t("providers.state")}</th>
            <th scope="col" className={table.number}>
              {t("providers.keys")}
            </th>
            <th scope="col" className={table.number}>
              {t("topics.rate")}
            </th>
            <th scope="col">{t("providers.rows")}</th>
            <th scope="col">
              <span className="visually-hidden">{t("rules.acts")}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Line key={row.id} row={row} asked_ms={asked_ms} edited={row.id === edited} onEdit={() => onEdit(row.id)} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

type LineProps = { row: ContextRow; asked_ms: number; edited: boolean; onEdit: () => void };

function Line({ row, asked_ms, edited, onEdit }: LineProps) {
  const { config, last_sample_age_ms } = row;
  const age = useLive(({ time }) =>
    last_sample_age_ms === null ? null : formatWholeAge(last_sample_age_ms + ageMs(asked_ms, time.local_ms)),
  );
  const rejects = rejectTexts(row.rejects);
  return (
    <tr data-testid={`provider-${row.id}`} aria-current={edited ? "true" : undefined}>
      <td className={`${table.wrap} ${styles.what}`}>
        <code className={styles.code}>{config.topic_pattern}</code>
        <p>
          <code className={styles.code}>
            {config.world_state_key_template} = {config.value_field}
          </code>
        </p>
        {config.filter !== undefined && (
          <p className={styles.small}>
            {t("entry.where")} <code className={styles.code}>{config.filter}</code>
          </p>
        )}
      </td>
      <td className={table.wrap}>
        {t(`context_state.${row.state}`)}
        {row.trouble !== null && <p className={styles.trouble}>{t(`context_trouble.${row.trouble}`)}</p>}
        {row.keys_replaced > 0 && (
          <p className={styles.trouble}>{t("providers.keys_replaced", { count: row.keys_replaced })}</p>
        )}
        {row.missing > 0 && <p className={styles.small}>{t("providers.missing", { count: row.missing })}</p>}
        <p className={styles.small}>{age === null ? t("providers.no_sample") : t("providers.last_sample", { age })}</p>
      </td>
      <td className={table.number}>
        {t("providers.of_keys", { keys: formatNumber(row.keys, 0), max: formatNumber(config.max_keys ?? 0, 0) })}
      </td>
      <td className={table.number}>
        {formatQuantity(row.rate_hz, 1, "Hz")}
        <p className={styles.small}>{formatNumber(row.bytes_per_s, 0)} B/s</p>
      </td>
      <td className={table.wrap}>
        {t("providers.matched", { shown: formatNumber(row.matched, 0) })}
        {rejects.map((text) => (
          <p key={text} className={styles.small}>
            {text}
          </p>
        ))}
      </td>
      <td className={table.wrap}>
        <Acts row={row} onEdit={onEdit} />
      </td>
    </tr>
  );
}

/** Its claims are gone with it, its history stays (WS-47). */
function Acts({ row, onEdit }: { row: ContextRow; onEdit: () => void }) {
  const remove = useOperation("remove_context");
  const name = row.config.world_state_key_template;
  return (
    <RowActs
      kind="provider"
      id={row.id}
      edit={t("providers.edit_name", { name })}
      remove={t("providers.remove_name", { name })}
      doRemove={t("providers.do_remove")}
      takes={t("providers.removes")}
      removal={remove}
      onEdit={onEdit}
      onRemove={(onDone) => remove.run({ id: row.id }, onDone)}
    />
  );
}
