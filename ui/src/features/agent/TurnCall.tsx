import type { TurnView } from "../../generated/bindings/TurnView";
import { Button } from "../../design/components/Button";
import { useCopy } from "../../design/components/useCopy";
import { formatUsd } from "../../design/format/money";
import { formatNumber } from "../../design/format/numbers";
import { formatClockMs } from "../../design/format/time";
import { codeText, t } from "../../locales/i18n";
import { modelOf } from "./turn-calls";
import styles from "./TurnDrawer.module.css";
import { partsOf, plainText, type ViewPart } from "./view-parts";

/** Enough of a part to tell which it is. */
const PREVIEW_CHARS = 80;

type TurnCallProps = { call: TurnView["calls"][number]; texts: TurnView["texts"]; place: number; count: number };

/** One call of a model: what for, what it took and cost, and what it was shown. */
export function TurnCall({ call: { row, layout }, texts, place, count }: TurnCallProps) {
  const model = modelOf(row);
  const { usage } = row;
  const read = usage.in_fresh + usage.cache_read + usage.cache_write_5m + usage.cache_write_1h;
  const parts = layout === null ? [] : partsOf(layout, texts);
  return (
    <article className={styles.call} data-testid={`call-${row.id}`}>
      <header className={styles.callHead}>
        <h3>{t("turn_view.call", { place: place + 1, count, purpose: codeText("call_purpose", row.purpose) })}</h3>
        {parts.length > 0 && <CopyButton text={plainText(parts)} />}
      </header>
      <p className={styles.facts}>
        <span>{t(`model.${model.kind}`, { name: model.name })}</span>
        <span>{formatClockMs(row.began_ms)}</span>
        <span>
          {t("turn_view.read", {
            count: read,
            tokens: formatNumber(read, 0),
            cached: formatNumber(row.cached_share * 100, 0),
          })}
        </span>
        <span>{t("turn_view.wrote", { tokens: formatNumber(usage.out, 0) })}</span>
        {usage.estimated && <span>{t("turn_view.estimated")}</span>}
        <span>{formatUsd(row.cost_microusd)}</span>
        {row.outcome !== "ok" && <strong>{codeText("call_outcome", row.outcome)}</strong>}
      </p>
      {layout === null && <p className={styles.facts}>{t("turn_view.gone")}</p>}
      {parts.map((part, index) => (
        <Part key={index} part={part} />
      ))}
    </article>
  );
}

/** Copies a text, and says if that worked: the clipboard can be closed to the window. */
function CopyButton({ text }: { text: string }) {
  const { outcome, copy } = useCopy();
  return (
    <>
      <span role="status">
        {outcome === "copied" && t("turn_view.copied")}
        {outcome === "failed" && t("turn_view.copy_failed")}
      </span>
      <Button look="quiet" onClick={() => void copy(text)}>
        {t("turn_view.copy")}
      </Button>
    </>
  );
}

/**
 * A part folds; what is of this conversation stands open. Words from elsewhere carry the mark of a quotation, and are
 * never read as markdown.
 */
function Part({ part: { kind, speaker, origin, entry, texts } }: { part: ViewPart }) {
  return (
    <details className={styles.part} open={kind === "message"}>
      <summary>
        <strong>{t(`speaker.${speaker as "system"}`, { defaultValue: speaker })}</strong>
        {origin !== "" && <code>{origin}</code>}
        {entry !== null && <span>{t("turn_view.entry", { entry })}</span>}
        {kind !== "message" && <span className={styles.preview}>{texts[0]?.text.slice(0, PREVIEW_CHARS)}</span>}
      </summary>
      {texts.map(({ text, trust }, place) => (
        <pre key={place} className={styles.text} data-trust={trust} tabIndex={0}>
          {text}
        </pre>
      ))}
    </details>
  );
}
