import { formatNumber } from "../../shared/format/numbers";
import { t } from "../../shared/i18n";
import { Denial } from "../../shared/verdict/Denial";
import styles from "./ToolRow.module.css";
import type { Row, ToolResult } from "./transcript-rows";

/** A tool call: collapsed to what it did, opened to its exact arguments and result. */
export function ToolRow({ row }: { row: Extract<Row, { kind: "tool" }> }) {
  return (
    <>
      <details className={styles.tool}>
        <summary>
          <code>{row.name}</code>
          <span className={styles.outcome}>{outcomeOf(row.result)}</span>
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
      {row.result?.kind === "denial" && <Denial sentence={row.result.sentence} verdict={row.result.verdict} rows={row.result.rows} />}
    </>
  );
}

function outcomeOf(result: ToolResult | null): string {
  if (!result) return t("tool.running");
  switch (result.kind) {
    case "denial":
      return t("tool.denied");
    case "asked":
      return t("tool.asked");
    case "text":
      return t("tool.done");
  }
}
