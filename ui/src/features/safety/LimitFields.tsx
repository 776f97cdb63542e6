import type { HostError } from "../../host/host";
import { NumberField } from "../../design/fields/NumberField";
import { t } from "../../locales/i18n";
import { fieldAt } from "./limit-draft";
import { fieldsOf } from "./limit-kinds";
import styles from "./LimitFields.module.css";
import { pathOf, refusalText } from "../../design/fields/refusal";
import type { LimitDraft } from "./useLimitDraft";

/** The numbers of a limit, each with its own problem: found here, or named by the station's refusal. */
export function LimitFields({
  form: { draft, reading, tried, setText },
  error,
}: {
  form: LimitDraft;
  error: HostError | null;
}) {
  const refused = fieldAt(draft.kind, pathOf(error));
  return (
    <div className={styles.fields} data-kind={draft.kind}>
      {fieldsOf(draft.kind).map((field) => {
        const text = draft.texts.get(field.path) ?? "";
        // An empty field is a fault only once somebody has tried to send it.
        const problem = tried || text !== "" ? reading.problems?.get(field.path) : undefined;
        const sentence = problem
          ? t(`field_problem.${problem}`)
          : field.path === refused
            ? error
              ? refusalText(error)
              : null
            : null;
        return (
          <NumberField
            key={field.path}
            field={field}
            text={text}
            problem={sentence}
            onText={(next) => setText(field.path, next)}
          />
        );
      })}
    </div>
  );
}
