import type { MissionRunOutcome } from "../../../generated/bindings/MissionRunOutcome";
import type { MissionState } from "../../../generated/bindings/MissionState";
import { MissionMark } from "../graph/MissionMark";

const SHAPES: Record<MissionRunOutcome, MissionState> = {
  done: "completed",
  closed: "completed",
  failed: "failed",
  cancelled: "cancelled",
  expired: "cancelled",
  superseded: "cancelled",
  cut_off: "cancelled",
};

/** The shape of the outcome of a run, the same as that of a mission; the word stands beside it. */
export function RunMark({ outcome }: { outcome: MissionRunOutcome | null }) {
  return <MissionMark state={outcome === null ? "active" : SHAPES[outcome]} running={outcome === null} />;
}
