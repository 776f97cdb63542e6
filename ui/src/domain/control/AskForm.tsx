import { useEffect, useState } from "react";
import type { ControlRequest } from "../../generated/bindings/ControlRequest";
import { ReasonForm } from "../../design/fields/ReasonForm";
import { secondsLeft } from "../../design/format/time";
import { useLive } from "../station/useLive";
import { useOperation } from "../station/useOperation";
import { t } from "../../locales/i18n";
import styles from "./ControlActs.module.css";

type AskFormProps = {
  robot: string;
  name: string;
  open: boolean;
  refusal: string | null;
  onGone: () => void;
  onAsked: () => void;
};

/** Asks the person in control, and says how that goes: they have 10 s, and silence is no (U-704). */
export function AskForm({ robot, name, open, refusal, onGone, onAsked }: AskFormProps) {
  const ask = useOperation("request_control");
  const [asked, setAsked] = useState<ControlRequest | null>(null);
  const submit = (message: string) =>
    ask.run({ robot, message }, ({ request }) => {
      setAsked(request);
      onAsked();
    });
  if (open) {
    return (
      <ReasonForm
        label={t("control.message", { name })}
        act={t("control.do_ask")}
        testId={`ask-form-${robot}`}
        refusal={refusal}
        call={ask}
        onSubmit={submit}
        onGone={onGone}
      />
    );
  }
  return asked && <Asked key={asked.id} robot={robot} name={name} asked={asked} />;
}

function Asked({ robot, name, asked }: { robot: string; name: string; asked: ControlRequest }) {
  const waits = useLive((store) => store.safety.get(robot)?.control_request?.id === asked.id);
  const seconds = useLive(({ time }) => (time.now_ms === null ? 0 : secondsLeft(asked.until_mono_ms, time.now_ms)));
  const [seen, setSeen] = useState(false);

  // Synchronises with the station's facts: the answer to asking can be here before the fact that somebody asks.
  useEffect(() => {
    if (waits) setSeen(true);
  }, [waits]);

  // Where the fact never came, only the end of the time tells that nobody answered.
  const over = !waits && (seen || seconds === 0);
  return (
    <p className={styles.hint} role="status" data-testid={`asked-${robot}`}>
      {over ? t("control.refused", { name }) : t("control.asked", { name, seconds })}
    </p>
  );
}
