import { useState } from "react";
import type { MissionDryRecorded } from "../../../generated/bindings/MissionDryRecorded";
import type { MissionDryRecordedCommand } from "../../../generated/bindings/MissionDryRecordedCommand";
import table from "../../../design/components/table.module.css";
import { formatMoment, formatWhen } from "../../../design/format/time";
import { markOf } from "../../../domain/verdict/verdict-words";
import { t } from "../../../locales/i18n";
import { verdictWords } from "./dry-run";
import { DryMotion, RoomCell } from "./DryMotion";
import { DryRow } from "./DryRow";
import styles from "./DryRun.module.css";

/** The limits of the file, tried on what its robots were told in the last 24 hours: those that would be decided otherwise. */
export function DryRecorded({ recorded }: { recorded: MissionDryRecorded }) {
  const { commands, to_deny, to_allow, changed } = recorded;
  const [opened, setOpened] = useState<number | null>(null);
  const unlisted = to_deny + to_allow - changed.length;
  return (
    <section className={styles.recorded} aria-label={t("dry_run.recorded")} data-testid="dry-run-recorded">
      <div className={styles.line}>
        <h3 className={styles.title}>{t("dry_run.recorded")}</h3>
        <p className={styles.quiet}>{sum(recorded)}</p>
      </div>
      {changed.length > 0 && (
        <table className={`${table.table} ${styles.table}`} aria-label={t("dry_run.recorded_table")}>
          <thead>
            <tr>
              <th scope="col">{t("dry_run.command")}</th>
              <th scope="col">{t("dry_run.room")}</th>
              <th scope="col">{t("dry_run.would_be")}</th>
            </tr>
          </thead>
          <tbody>
            {changed.map((command, index) => (
              <Command
                key={command.motion.verdict.id}
                id={`dry-recorded-${index + 1}`}
                command={command}
                isOpen={opened === index}
                onToggle={() => setOpened(opened === index ? null : index)}
              />
            ))}
          </tbody>
        </table>
      )}
      {commands > 0 && unlisted > 0 && (
        <p className={`${styles.line} ${styles.quiet}`}>{t("dry_run.unlisted", { count: unlisted })}</p>
      )}
    </section>
  );
}

function sum({ commands, to_deny, to_allow }: MissionDryRecorded): string {
  if (commands === 0) return t("tried.none");
  if (to_deny + to_allow === 0) return t("dry_run.none_changed", { count: commands });
  const changed = [t("tried.denied", { count: to_deny }), t("tried.allowed", { count: to_allow })].join(", ");
  return `${t("tried.recorded", { count: commands })} ${changed}.`;
}

type CommandProps = { id: string; command: MissionDryRecordedCommand; isOpen: boolean; onToggle: () => void };

function Command({ id, command: { at_ms, motion }, isOpen, onToggle }: CommandProps) {
  const { verdict, robot, actuator, explanation } = motion;
  const word = t(verdict.overall === "allow" ? "dry_run.allow" : "dry_run.deny");
  return (
    <DryRow
      id={id}
      decision={{ mark: markOf(verdict.overall), word }}
      text={`${robot} ${actuator}`}
      note={formatWhen(at_ms)}
      isOpen={isOpen}
      onToggle={onToggle}
      cells={
        <>
          <RoomCell explanation={explanation} />
          <td className={styles.approval}>{word}</td>
        </>
      }
    >
      <p>{verdictWords(motion.sentence)}</p>
      <p className={styles.quiet}>{t("dry_run.at_moment", { when: formatMoment(at_ms) })}</p>
      <DryMotion motion={motion} later />
    </DryRow>
  );
}
