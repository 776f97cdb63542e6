import { useRef, useState } from "react";
import { Button } from "../../design/components/Button";
import { Refusal } from "../../design/components/Refusal";
import { fieldText, parseDecimal } from "../../design/fields/decimal";
import forms from "../../design/fields/forms.module.css";
import { NumberField } from "../../design/fields/NumberField";
import { useFirstField } from "../../design/fields/useFirstField";
import { useOperation } from "../station/useOperation";
import { t } from "../../locales/i18n";
import styles from "./EditForm.module.css";
import { type GrantDraft, grantOf } from "./envelope-draft";

type StandingFormProps = { draft: GrantDraft; refusal: string | null; onDone: () => void };

/** Lets motions like the shown one happen without a click each, within bounds that begin close around it (§13). */
export function StandingForm({ draft, refusal, onDone }: StandingFormProps) {
  const grant = useOperation("grant_standing_approval");
  const [texts, setTexts] = useState<ReadonlyMap<string, string>>(
    // Once: a new version of the card would move bounds that a person has read and is about to grant.
    () => new Map(draft.fields.map(({ path, first }) => [path, fieldText(first)])),
  );
  const fields = draft.fields.map((field) => {
    const text = texts.get(field.path) ?? "";
    return { field, text, decimal: parseDecimal(text) };
  });
  const numbers = new Map(
    fields.flatMap(({ field, decimal }) => ("value" in decimal ? [[field.path, decimal.value] as const] : [])),
  );
  const form = useRef<HTMLElement>(null);
  useFirstField(form);
  const invalid = numbers.size < fields.length;
  return (
    <section ref={form} className={styles.form} aria-label={t("standing.grant_title")} data-testid="standing-form">
      <p className={forms.hint}>
        {t("standing.means", { actuator: draft.actuator, robot: draft.robot, frame: draft.frame })}
      </p>
      <div className={styles.fields}>
        {fields.map(({ field, text, decimal }) => (
          <NumberField
            key={field.path}
            field={field}
            text={text}
            problem={"problem" in decimal ? t(`field_problem.${decimal.problem}`) : null}
            onText={(next) => {
              setTexts(new Map(texts).set(field.path, next));
              grant.forget();
            }}
          />
        ))}
      </div>
      <div className={forms.act}>
        <Button
          look="primary"
          data-testid="standing-grant"
          disabled={refusal !== null || invalid || grant.pending}
          onClick={() => grant.run(grantOf(draft, numbers), onDone)}
        >
          {grant.pending ? t("hold.sending") : t("standing.grant")}
        </Button>
        <span className={forms.hint}>{refusal ?? t("standing.not_this")}</span>
      </div>
      <Refusal error={grant.error} />
    </section>
  );
}
