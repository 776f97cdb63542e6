import { useEffect, useRef, useState } from "react";
import type { BeliefRow } from "../../generated/bindings/BeliefRow";
import { Button } from "../../design/components/Button";
import { Refusal } from "../../design/components/Refusal";
import { SelectField } from "../../design/fields/SelectField";
import { formatMoment } from "../../design/format/time";
import { useTimeOfDay } from "../../domain/station/useTicked";
import { useOperation } from "../../domain/station/useOperation";
import { t } from "../../locales/i18n";
import styles from "./BeliefDetail.module.css";
import { onEscape } from "./on-escape";

const HOUR_SECS = 3_600;
/** Time spans of a pin, seconds: a shift, a day, a visit, a season. The station takes up to a year. */
const SPANS = {
  hour: HOUR_SECS,
  shift: 8 * HOUR_SECS,
  day: 24 * HOUR_SECS,
  week: 7 * 24 * HOUR_SECS,
  month: 30 * 24 * HOUR_SECS,
  year: 365 * 24 * HOUR_SECS,
} as const;
type SpanName = keyof typeof SPANS;
const NAMES: readonly SpanName[] = ["hour", "shift", "day", "week", "month", "year"];

/** Keeps a belief as sure as it is, for a time that ends. */
export function PinForm({ belief, onDone, onClose }: { belief: BeliefRow; onDone: () => void; onClose: () => void }) {
  const [span, setSpan] = useState<SpanName>("day");
  const pin = useOperation("pin_belief");
  const form = useRef<HTMLFormElement>(null);
  const now = useTimeOfDay(1_000) / 1_000;
  const until = now + SPANS[span];

  // Synchronises with the focus of the window: whoever opened the form wants to fill it in.
  useEffect(() => form.current?.querySelector("select")?.focus(), []);

  return (
    <form
      ref={form}
      className={styles.form}
      onKeyDown={onEscape(onClose)}
      onSubmit={(event) => {
        event.preventDefault();
        pin.run({ id: belief.id, until }, onDone);
      }}
    >
      <SelectField
        label={t("pin.for")}
        value={span}
        options={NAMES.map((value) => ({ value, text: t(`pin.${value}`) }))}
        problem={null}
        onChange={setSpan}
      />
      <Button type="submit" look="primary" data-testid="pin-submit" disabled={pin.pending}>
        {pin.pending ? t("hold.sending") : t("pin.act")}
      </Button>
      <Button look="quiet" onClick={onClose}>
        {t("safety.cancel")}
      </Button>
      <span className={styles.muted}>{t("pin.means", { when: formatMoment(until * 1_000) })}</span>
      <div className={styles.wide}>
        <Refusal error={pin.error} />
      </div>
    </form>
  );
}
