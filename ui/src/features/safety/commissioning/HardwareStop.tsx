import type { CommissioningRow } from "../../../generated/bindings/CommissioningRow";
import { Button } from "../../../design/components/Button";
import { Refusal } from "../../../design/components/Refusal";
import { useTurned } from "../../../design/shortcuts/useTurned";
import { useOperation } from "../../../domain/station/useOperation";
import { t } from "../../../locales/i18n";
import styles from "./StepButton.module.css";

type HardwareStopProps = {
  robot: string;
  running: boolean;
  refusal: string | null;
  onRow: (row: CommissioningRow) => void;
};

/** The step without motion: the gate watches while a person presses the hardware stop. */
export function HardwareStop({ robot, running, refusal, onRow }: HardwareStopProps) {
  const watch = useOperation("run_commissioning_step");
  const unseen = useOperation("let_go_commissioning_step");
  // The second click of a double click on "watch" would say that the press was not seen.
  const turned = useTurned(running ? "unseen" : "watch");
  return (
    <div className={styles.hand}>
      {running ? (
        <Button
          data-testid="stop-not-seen"
          disabled={unseen.pending || turned}
          onClick={() => unseen.run({ robot }, onRow)}
        >
          {t("commissioning.pressed_unseen")}
        </Button>
      ) : (
        <Button
          data-testid="watch-hardware-stop"
          disabled={refusal !== null || watch.pending || turned}
          title={refusal ?? undefined}
          onClick={() => watch.run({ robot, step: "hardware_stop" }, onRow)}
        >
          {t("commissioning.watch_stop")}
        </Button>
      )}
      <Refusal error={watch.error ?? unseen.error} />
    </div>
  );
}
