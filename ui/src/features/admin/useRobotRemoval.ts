import { useState } from "react";
import { say } from "../../design/components/toast-queue";
import type { HostError } from "../../host/host";
import { useOperation } from "../../domain/station/useOperation";
import { useUndo } from "../../domain/station/useUndo";
import { t } from "../../locales/i18n";

/** The removal of one robot at a time: the robot that is asked about, and the call. */
export type RobotRemoval = {
  asked: string | null;
  pending: boolean;
  error: HostError | null;
  /** Asks about a robot, or about none any more. */
  ask: (robot: string | null) => void;
  /** Removes the robot that is asked about. */
  remove: () => void;
};

/** For the list of robots: a robot's own line is gone before its answer comes, and could not offer the way back. */
export function useRobotRemoval(): RobotRemoval {
  const [asked, setAsked] = useState<string | null>(null);
  const call = useOperation("remove_robot");
  const addAgain = useUndo("add_robot");
  const remove = () => {
    if (asked === null) return;
    call.run({ robot: asked }, ({ robot, manifest, missions, jobs }) => {
      setAsked(null);
      const sentences = [
        t("remove_robot.removed", { robot }),
        ...(missions.length > 0 ? [t("remove_robot.missions", { missions: missions.join(", ") })] : []),
        ...(jobs.length > 0 ? [t("remove_robot.jobs", { jobs: jobs.join(", ") })] : []),
      ];
      const text = sentences.join(" ");
      say(manifest === null ? { text } : { text, undo: addAgain({ manifest }) });
    });
  };
  const ask = (robot: string | null) => {
    call.forget();
    setAsked(robot);
  };
  return { asked, pending: call.pending, error: call.error, ask, remove };
}
