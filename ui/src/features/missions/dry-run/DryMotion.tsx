import type { ItemRow } from "../../../generated/bindings/ItemRow";
import type { MissionDryMotion } from "../../../generated/bindings/MissionDryMotion";
import { Meter } from "../../../design/components/Meter";
import { DecisionScene } from "../../../domain/proposal/DecisionScene";
import { LimitsTable } from "../../../domain/verdict/LimitsTable";
import { t } from "../../../locales/i18n";
import { leastRoom } from "./dry-run";
import styles from "./DryRun.module.css";

/** The scene of a motion and every limit; `later` where the robot does not stand at its begin. */
export function DryMotion({ motion, later }: { motion: MissionDryMotion; later: boolean }) {
  return (
    <>
      {motion.preview !== null && (
        <div className={styles.scene} data-testid="dry-run-scene">
          <DecisionScene proposal={motion} later={later} compact />
        </div>
      )}
      <LimitsTable rows={motion.explanation} compact />
    </>
  );
}

/** The cell of the limit that leaves a motion the least room. */
export function RoomCell({ explanation }: { explanation: readonly ItemRow[] | null }) {
  const room = explanation && leastRoom(explanation);
  return (
    <td className={styles.room} title={room?.name}>
      {room && (
        <>
          <Meter used={room.used} label={t("dry_run.used_of", { limit: room.name })} />
          <span className={styles.figure}>{room.room}</span>
        </>
      )}
    </td>
  );
}
