import { useState } from "react";
import type { ModelCallRow } from "../../generated/bindings/ModelCallRow";
import table from "../../design/components/table.module.css";
import { formatUsd } from "../../design/format/money";
import { formatNumber } from "../../design/format/numbers";
import { formatMoment, formatStamp, formatZone } from "../../design/format/time";
import { RowGap } from "../../design/layout/RowGap";
import { useRowWindow } from "../../design/layout/useRowWindow";
import { codeText, t } from "../../locales/i18n";
import styles from "./CallTable.module.css";

/** Every call of a model, the newest first: failed ones and those in the background too (K-01). */
export function CallTable({ calls }: { calls: readonly ModelCallRow[] }) {
  const [now_ms] = useState(() => Date.now());
  const newest = calls.toSorted((a, b) => b.began_ms - a.began_ms);
  const { scroller, from, to, before_px, after_px } = useRowWindow(newest.length);
  return (
    <div
      ref={scroller}
      className={`${table.scroll} ${styles.scroll}`}
      role="group"
      aria-label={t("ledger.title")}
      tabIndex={0}
    >
      <table className={table.table} aria-rowcount={newest.length + 1} data-testid="model-calls">
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col">{t("ledger.when", { zone: formatZone(now_ms) })}</th>
            <th scope="col">{t("ledger.purpose")}</th>
            <th scope="col">{t("ledger.model")}</th>
            <th scope="col" className={table.number}>
              {t("ledger.read_short")}
            </th>
            <th scope="col" className={table.number}>
              {t("ledger.cached")}
            </th>
            <th scope="col" className={table.number}>
              {t("ledger.wrote_short")}
            </th>
            <th scope="col" className={table.number}>
              {t("ledger.cost")}
            </th>
            <th scope="col">{t("ledger.outcome")}</th>
          </tr>
        </thead>
        <tbody>
          <RowGap height_px={before_px} columns={8} />
          {newest.slice(from, to).map((call, place) => (
            <Line key={call.id} call={call} now_ms={now_ms} index={from + place + 2} />
          ))}
          <RowGap height_px={after_px} columns={8} />
        </tbody>
      </table>
    </div>
  );
}

function Line({ call, now_ms, index }: { call: ModelCallRow; now_ms: number; index: number }) {
  const { began_ms, purpose, provider, model, usage, cached_share, cost_microusd, outcome } = call;
  const read = usage.in_fresh + usage.cache_read + usage.cache_write_5m + usage.cache_write_1h;
  return (
    <tr aria-rowindex={index}>
      <th scope="row" title={formatMoment(began_ms)}>
        {formatStamp(began_ms, now_ms)}
      </th>
      <td title={purpose}>{codeText("call_purpose", purpose)}</td>
      <td className={styles.model} title={provider === "" ? undefined : `${model} · ${provider}`}>
        {provider === "" ? t("ledger.interpreter") : `${model} · ${provider}`}
      </td>
      <td className={table.number}>{formatNumber(read, 0)}</td>
      <td className={table.number}>{formatNumber(cached_share * 100, 0)} %</td>
      <td className={table.number}>{formatNumber(usage.out, 0)}</td>
      <td className={table.number}>{formatUsd(cost_microusd)}</td>
      <td className={outcome === "ok" ? table.muted : undefined} title={outcome}>
        {codeText("call_outcome", outcome)}
      </td>
    </tr>
  );
}
