import { GripVertical } from "lucide-react";
import { t } from "../../../locales/i18n";
import styles from "./MissionForm.module.css";
import type { HandleActs } from "./useReorder";

/** The handle of an entry of a list, by which it is moved. */
export function MoveHandle({ entry, testId, acts }: { entry: string; testId: string; acts: HandleActs }) {
  return (
    <button
      type="button"
      className={styles.handle}
      data-handle
      data-testid={testId}
      draggable={!acts.disabled}
      aria-label={t("mission_form.move", { entry })}
      title={t("mission_form.move_hint")}
      {...acts}
    >
      <GripVertical aria-hidden="true" />
    </button>
  );
}
