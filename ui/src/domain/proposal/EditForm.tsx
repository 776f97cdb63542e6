import { useRef, useState } from "react";
import type { CommandOutcome } from "../../generated/bindings/CommandOutcome";
import type { Proposal } from "../../generated/bindings/Proposal";
import { HoldButton } from "../../design/components/HoldButton";
import { Refusal } from "../../design/components/Refusal";
import { fieldText, parseDecimal } from "../../design/fields/decimal";
import forms from "../../design/fields/forms.module.css";
import { NumberField } from "../../design/fields/NumberField";
import { useFirstField } from "../../design/fields/useFirstField";
import { useOperation } from "../station/useOperation";
import { t } from "../../locales/i18n";
import { EditDenied } from "./EditDenied";
import styles from "./EditForm.module.css";
import { numbersIn, withNumbers } from "./input-numbers";

/** Other numbers make it the person's own command, judged anew; a denial leaves the card as it was (§13). */
export function EditForm({ proposal, refusal }: { proposal: Proposal; refusal: string | null }) {
  const { id, version, input } = proposal;
  const edit = useOperation("edit_proposal");
  const [texts, setTexts] = useState<ReadonlyMap<string, string>>(new Map());
  const [denied, setDenied] = useState<CommandOutcome | null>(null);
  const fields = numbersIn(input).map((number) => {
    // Only what was typed is kept: a field that nobody touched follows the card to its next version.
    const text = texts.get(number.path) ?? fieldText(number.value);
    return { number, text, decimal: parseDecimal(text) };
  });
  const changed = new Map(
    fields.flatMap(({ number, decimal }) =>
      "value" in decimal && decimal.value !== number.value ? [[number.path, decimal.value] as const] : [],
    ),
  );
  const invalid = fields.some(({ decimal }) => "problem" in decimal);
  const form = useRef<HTMLElement>(null);
  useFirstField(form);
  const why = refusal ?? (changed.size === 0 ? t("limit_form.nothing_changed") : null);

  return (
    <section ref={form} className={styles.form} aria-label={t("edit.title")} data-testid="edit-form">
      <p className={forms.hint}>{t("edit.means")}</p>
      <div className={styles.fields}>
        {fields.map(({ number, text, decimal }) => (
          <NumberField
            key={number.path}
            field={number}
            text={text}
            problem={"problem" in decimal ? t(`field_problem.${decimal.problem}`) : null}
            onText={(next) => {
              setTexts(new Map(texts).set(number.path, next));
              setDenied(null);
              edit.forget();
            }}
          />
        ))}
      </div>
      <div className={forms.act}>
        <HoldButton
          testId="edit-send"
          label={t("edit.send")}
          // The numbers are part of what is sent: a change of one shuts the button like a new version.
          version={`${id} ${version} ${JSON.stringify([...changed])}`}
          needsHold={proposal.tier === "high"}
          disabled={why !== null || invalid}
          pending={edit.pending}
          onAct={() =>
            edit.run({ id, version, input: withNumbers(input, changed) }, (outcome) =>
              setDenied(outcome.state === "denied" ? outcome : null),
            )
          }
        />
        <span className={forms.hint}>{why}</span>
      </div>
      <Refusal error={edit.error} />
      {denied && <EditDenied outcome={denied} />}
    </section>
  );
}
