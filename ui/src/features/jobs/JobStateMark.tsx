import {
  Ban,
  Check,
  CircleDashed,
  Clock,
  Hourglass,
  type LucideIcon,
  Pause,
  Play,
  TriangleAlert,
  X,
} from "lucide-react";
import type { JobState } from "../../generated/bindings/JobState";
import type { RunOutcome } from "../../generated/bindings/RunOutcome";
import { t } from "../../locales/i18n";
import styles from "./JobStateMark.module.css";

const STATES: Record<JobState, LucideIcon> = {
  pending: Clock,
  waiting: Hourglass,
  running: Play,
  paused: Pause,
  completed: Check,
  failed: X,
  cancelled: Ban,
  dead_letter: TriangleAlert,
};
const OUTCOMES: Record<RunOutcome, LucideIcon> = {
  running: Play,
  proposed: Hourglass,
  completed: Check,
  failed: X,
  cancelled: Ban,
  interrupted: TriangleAlert,
  missed: CircleDashed,
  overlap: CircleDashed,
};

/** State of a job: a shape and a word. */
export function JobStateMark({ state }: { state: JobState }) {
  const Icon = STATES[state];
  return (
    <span className={styles.mark} data-strong={state === "dead_letter" || state === "failed"} data-testid="job-state">
      <Icon aria-hidden="true" className={styles.icon} />
      {t(`job_state.${state}`)}
    </span>
  );
}

/** Outcome of a run: a shape and a word. */
export function OutcomeMark({ outcome }: { outcome: RunOutcome }) {
  const Icon = OUTCOMES[outcome];
  return (
    <span className={styles.mark} data-strong={outcome === "failed" || outcome === "interrupted"}>
      <Icon aria-hidden="true" className={styles.icon} />
      {t(`run_outcome.${outcome}`)}
    </span>
  );
}
