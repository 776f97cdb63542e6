import { useLive } from "../station/useLive";
import { t } from "../../locales/i18n";
import styles from "./RobotName.module.css";

/** A robot's name; in LIVE a simulated robot carries its tag wherever the name appears (U-106). */
export function RobotName({ id, simulated }: { id: string; simulated: boolean }) {
  const live = useLive((store) => store.mode === "live");
  return (
    <span className={styles.name}>
      {id}
      {live && simulated && <span className={styles.sim}>{t("mode.sim_tag")}</span>}
    </span>
  );
}
