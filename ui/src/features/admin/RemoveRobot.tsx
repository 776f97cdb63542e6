import { Button } from "../../design/components/Button";
import { Refusal } from "../../design/components/Refusal";
import { useAdminRefusal } from "../../domain/station/useAdminRefusal";
import { useAskedFocus } from "../../domain/station/useAsked";
import { t } from "../../locales/i18n";
import styles from "./Admin.module.css";
import type { RobotRemoval } from "./useRobotRemoval";

/** Removes a robot; says first what goes with it and what stays. */
export function RemoveRobot({ robot, removal }: { robot: string; removal: RobotRemoval }) {
  const refusal = useAdminRefusal();
  const isAsked = removal.asked === robot;
  const { asks, givesUp } = useAskedFocus(isAsked);
  if (!isAsked) {
    return (
      <Button
        ref={asks}
        look="quiet"
        size="row"
        data-testid={`remove-${robot}`}
        aria-label={t("remove_robot.of", { robot })}
        disabled={refusal !== null || removal.pending}
        onClick={() => removal.ask(robot)}
      >
        {t("remove_robot.remove")}
      </Button>
    );
  }
  return (
    <span className={styles.acts}>
      <span className={styles.hint}>{t("remove_robot.means", { robot })}</span>
      <Button
        data-testid={`remove-yes-${robot}`}
        disabled={refusal !== null || removal.pending}
        onClick={removal.remove}
      >
        {removal.pending ? t("hold.sending") : t("remove_robot.do_remove")}
      </Button>
      <Button ref={givesUp} look="quiet" disabled={removal.pending} onClick={() => removal.ask(null)}>
        {t("safety.cancel")}
      </Button>
      <Refusal error={removal.error} />
    </span>
  );
}
