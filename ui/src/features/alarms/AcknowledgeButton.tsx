import { useRef } from "react";
import type { AlarmRow } from "../../generated/bindings/AlarmRow";
import { Button } from "../../design/components/Button";
import { Refusal } from "../../design/components/Refusal";
import { useFocusBack } from "../../design/fields/useFocusBack";
import { useCommandRefusal } from "../../domain/station/useCommandRefusal";
import { useOperation } from "../../domain/station/useOperation";
import { t } from "../../locales/i18n";
import { acknowledgeInput } from "./acknowledge";
import styles from "./AlarmActs.module.css";

/** Acknowledges exactly these alarms, as they stand on the screen (AL-05). */
export function AcknowledgeButton({
  alarms,
  label,
  testId,
  onGone,
}: {
  alarms: readonly AlarmRow[];
  label: string;
  testId: string;
  /** The button was taken away with the focus on it. */
  onGone?: () => void;
}) {
  const part = useRef<HTMLSpanElement>(null);
  useFocusBack(part, () => onGone?.());
  const acknowledge = useOperation("acknowledge_alarms");
  const refusal = useCommandRefusal();
  return (
    <span ref={part} className={styles.act}>
      <Button
        data-testid={testId}
        disabled={refusal !== null || alarms.length === 0 || acknowledge.pending}
        title={refusal ?? undefined}
        onClick={() => acknowledge.run(acknowledgeInput(alarms))}
      >
        {acknowledge.pending ? t("hold.sending") : label}
      </Button>
      <Refusal error={acknowledge.error} />
    </span>
  );
}
