import { ControlActs } from "../control/ControlActs";
import { ControlChip } from "../control/ControlChip";
import { useRows } from "../station/useRows";
import { t } from "../../locales/i18n";
import styles from "./Denial.module.css";

/** Current holder of control, and the actions that change it, where control is the reason for a denial. */
export function DenialControl({ robot }: { robot: string }) {
  const robots = useRows("robots", "list_robots", {});
  const row = robots.data?.rows.find(({ id }) => id === robot);
  if (!row) return null;
  return (
    <div className={styles.control} data-testid="denial-control">
      <p>
        {t("control.denied", { robot })} <ControlChip robot={row} />
      </p>
      <ControlActs robot={row} />
    </div>
  );
}
