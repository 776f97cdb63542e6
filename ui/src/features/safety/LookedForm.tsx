import { useEffect, useRef, useState } from "react";
import { Button } from "../../design/components/Button";
import { Refusal } from "../../design/components/Refusal";
import { CheckField } from "../../design/fields/CheckField";
import styles from "../../design/fields/ReasonForm.module.css";
import { useFocusBack } from "../../design/fields/useFocusBack";
import { useOperation } from "../../domain/station/useOperation";
import { t } from "../../locales/i18n";
import forms from "../../design/fields/forms.module.css";

type LookedFormProps = { robot: string; refusal: string | null; onGone: () => void };

/** Disarms, with the word of a person that the robot itself was looked at. */
export function LookedForm({ robot, refusal, onGone }: LookedFormProps) {
  const [looked, setLooked] = useState(false);
  // What happened meanwhile makes the look an old one: the robot has to be looked at again.
  if (refusal !== null && looked) setLooked(false);
  const disarm = useOperation("disarm_robot");
  const form = useRef<HTMLFormElement>(null);
  const box = useRef<HTMLInputElement>(null);
  useFocusBack(form, onGone);

  // Synchronises with the focus of the window: whoever opened the form is asked this.
  useEffect(() => box.current?.focus(), []);

  return (
    <form
      ref={form}
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (looked && refusal === null) disarm.run({ robot, looked });
      }}
    >
      <CheckField
        label={t("causes.looked", { robot })}
        checked={looked}
        testId="looked"
        ref={box}
        onChange={setLooked}
      />
      <Button
        type="submit"
        look="primary"
        data-testid="looked-submit"
        disabled={!looked || refusal !== null || disarm.pending}
      >
        {disarm.pending ? t("hold.sending") : t("robot.disarm")}
      </Button>
      <span className={forms.hint}>{refusal}</span>
      <div className={styles.refusal}>
        <Refusal error={disarm.error} />
      </div>
    </form>
  );
}
