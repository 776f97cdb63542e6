import type { ProviderConfig } from "../../generated/bindings/ProviderConfig";
import type { RawSample as Sample } from "../../generated/bindings/RawSample";
import { formatClockMs } from "../../design/format/time";
import { t } from "../../locales/i18n";
import { indented } from "./indented";
import styles from "./EntryPanel.module.css";

/** The message a value was taken from, as it came. Never more than text (U-903). */
export function RawSample({ sample, provider }: { sample: Sample | null; provider: ProviderConfig | null }) {
  return (
    <section className={styles.part}>
      <h3>{t("entry.sample")}</h3>
      {sample === null ? (
        <p className={styles.muted}>{t("entry.sample_gone")}</p>
      ) : (
        <>
          <p className={styles.muted}>
            <code>{sample.key_expr}</code> · {formatClockMs(sample.received_ms)} ·{" "}
            {sample.encoding === "" ? t("entry.no_encoding") : sample.encoding}
            {provider !== null && ` · ${t("entry.taken", { path: provider.value_field })}`}
          </p>
          <pre className={styles.sample} tabIndex={0} data-testid="raw-sample">
            {indented(sample.text)}
            {sample.cut && "…"}
          </pre>
        </>
      )}
    </section>
  );
}
