import { suggest } from "../../shared/agent/draft";
import { formatNumber } from "../../shared/format/numbers";
import { useStation } from "../../shared/hooks/station-context";
import { useLive } from "../../shared/hooks/useLive";
import { t } from "../../shared/i18n";
import { Denial } from "../../shared/verdict/Denial";
import { callOutcome, resultOutcome } from "./call-outcome";
import styles from "./ToolRow.module.css";
import type { Row } from "./transcript-rows";

/** A tool call: collapsed to what it did, opened to its exact arguments and result. */
export function ToolRow({ row }: { row: Extract<Row, { kind: "tool" }> }) {
  const { store: station } = useStation();
  const live = useLive((store) => store.turn?.calls.find(({ call }) => call === row.call));
  const outcome = row.result ? resultOutcome(row.result) : live ? callOutcome(live) : t("tool.running");
  return (
    <>
      <details className={styles.tool}>
        <summary>
          <code>{row.name}</code>
          <span className={styles.outcome}>{outcome}</span>
        </summary>
        {row.took_ms !== null && <p className={styles.took}>{t("tool.took", { ms: formatNumber(row.took_ms, 0) })}</p>}
        <pre className={styles.json} tabIndex={0}>
          {row.args}
        </pre>
        {row.result?.kind === "text" && (
          <pre className={styles.json} tabIndex={0}>
            {row.result.text}
          </pre>
        )}
      </details>
      {row.result?.kind === "denial" && (
        <Denial
          sentence={row.result.sentence}
          verdict={row.result.verdict}
          rows={row.result.rows}
          command={row.result.command}
          onReplan={(text) => suggest(station.agent, text)}
        />
      )}
    </>
  );
}
