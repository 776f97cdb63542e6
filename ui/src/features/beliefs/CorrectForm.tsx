import { useEffect, useRef, useState } from "react";
import type { BeliefRow } from "../../generated/bindings/BeliefRow";
import { Button } from "../../design/components/Button";
import { Refusal } from "../../design/components/Refusal";
import { fieldText, parseDecimal } from "../../design/fields/decimal";
import { NumberField } from "../../design/fields/NumberField";
import { pathOf, refusalText } from "../../design/fields/refusal";
import { TextField } from "../../design/fields/TextField";
import { useOperation } from "../../domain/station/useOperation";
import { t } from "../../locales/i18n";
import styles from "./BeliefDetail.module.css";
import { onEscape } from "./on-escape";

/** Confidence first offered for a person's own observation. */
const CONFIDENCE_FIRST = 0.95;

/** Says what is so instead. A person's value replaces the one that was held. */
export function CorrectForm({
  belief,
  onDone,
  onClose,
}: {
  belief: BeliefRow;
  onDone: () => void;
  onClose: () => void;
}) {
  const [value, setValue] = useState(belief.value);
  const [text, setText] = useState(fieldText(CONFIDENCE_FIRST));
  const update = useOperation("update_belief");
  const form = useRef<HTMLFormElement>(null);
  const confidence = parseDecimal(text);
  const inRange = "value" in confidence && confidence.value >= 0 && confidence.value <= 1;
  const at = (path: string) =>
    pathOf(update.error) === path ? (update.error ? refusalText(update.error) : null) : null;

  // Synchronises with the focus of the window: whoever opened the form wants to write.
  useEffect(() => form.current?.querySelector("input")?.select(), []);

  return (
    <form
      ref={form}
      noValidate
      className={styles.form}
      onKeyDown={onEscape(onClose)}
      onSubmit={(event) => {
        event.preventDefault();
        if (inRange)
          update.run(
            { subject: belief.subject, predicate: belief.predicate, value: value.trim(), confidence: confidence.value },
            onDone,
          );
      }}
    >
      <div className={styles.grow}>
        <TextField
          label={t("correct.value")}
          value={value}
          problem={at("value")}
          testId="correct-value"
          onChange={(next) => {
            setValue(next);
            update.forget();
          }}
        />
      </div>
      <NumberField
        field={{ label: t("beliefs.confidence"), unit: t("beliefs.of_one"), step: 0.05 }}
        text={text}
        problem={inRange ? at("confidence") : t("correct.range")}
        onText={setText}
      />
      <Button type="submit" look="primary" data-testid="correct-submit" disabled={!inRange || update.pending}>
        {update.pending ? t("hold.sending") : t("correct.act")}
      </Button>
      <Button look="quiet" onClick={onClose}>
        {t("safety.cancel")}
      </Button>
      <div className={styles.wide}>
        <Refusal error={update.error} />
      </div>
    </form>
  );
}
