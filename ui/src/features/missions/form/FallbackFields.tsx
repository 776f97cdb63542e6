import type { FallbackClass } from "../../../generated/bindings/FallbackClass";
import type { FallbackStep } from "../../../generated/bindings/FallbackStep";
import { codeText, t } from "../../../locales/i18n";
import { ChipList } from "./ChipList";
import { type Fallbacks, fallbacksOf, withoutStep, withStep } from "./fallbacks";
import { type KeyProps, ValueKey } from "./KeyFields";
import styles from "./MissionForm.module.css";
import { type Settling, useSent } from "./settling";

const CLASSES: readonly FallbackClass[] = [
  "denied",
  "denied_moving",
  "denied_often",
  "breach",
  "sensor",
  "link",
  "validator",
  "stop_unconfirmed",
];
const STEPS: readonly FallbackStep[] = ["stop_actuators", "alert_agent", "pause_all_missions", "halt_and_wait"];

type FallbackFieldsProps = KeyProps & { settling: Settling };

/** Steps that follow the station's own when something goes wrong, by the class of what did. */
export function FallbackFields(props: FallbackFieldsProps) {
  const { of, settling, disabled, save, name } = props;
  return (
    <ValueKey {...{ name, of, disabled, save }} label={t("mission_form.fallbacks")} value={fallbacksOf(of?.value)}>
      {(inFile) => <Classes {...{ name, of, disabled, save, settling, inFile }} />}
    </ValueKey>
  );
}

function Classes({ name, of, disabled, save, settling, inFile }: FallbackFieldsProps & { inFile: Fallbacks }) {
  // As it was last sent: the key is written as a whole, so that a change must not take back the one before it.
  const { value: all, send } = useSent(inFile, settling);
  const put = (next: Fallbacks) => {
    send(next);
    save(Object.keys(next).length === 0 ? { remove: { key: name } } : { set: { key: name, value: next } });
  };
  const problem = of?.problem ?? null;
  const shown = Object.keys(all);
  const left = CLASSES.filter((one) => !shown.includes(one));
  return (
    <section aria-label={t("mission_form.fallbacks")} className={styles.section} data-testid="form-fallbacks">
      <h4 className={styles.title}>{t("mission_form.fallbacks")}</h4>
      <p className={styles.hint}>{t("mission_form.help.fallbacks")}</p>
      {shown.map((one) => (
        <ChipList
          key={one}
          label={codeText("fallback_class", one)}
          isInner
          values={inFile[one] ?? all[one] ?? []}
          options={STEPS}
          wordOf={(step) => codeText("fallback_step", step)}
          problem={null}
          disabled={disabled}
          testId={`form-fallbacks-${one}`}
          settling={settling}
          onAdd={(_, step) => put(withStep(all, one, step))}
          onRemove={(at) => put(withoutStep(all, one, at))}
        />
      ))}
      {left.length > 0 && (
        <select
          className={styles.add}
          aria-label={t("mission_form.add_to", { list: t("mission_form.fallbacks") })}
          data-testid="form-fallbacks-add"
          // This select adds a class; it never shows one as chosen.
          value=""
          disabled={disabled}
          onChange={(event) => put(withStep(all, event.target.value, "alert_agent"))}
        >
          <option value="">{t("mission_form.add_fallback")}</option>
          {left.map((one) => (
            <option key={one} value={one}>
              {codeText("fallback_class", one)}
            </option>
          ))}
        </select>
      )}
      {problem !== null && (
        <p className={styles.problem} data-testid="form-fallbacks-problem">
          {problem}
        </p>
      )}
    </section>
  );
}
