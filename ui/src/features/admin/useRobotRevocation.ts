import { useState } from "react";
import { say } from "../../design/components/toast-queue";
import { useOperation } from "../../domain/station/useOperation";
import type { HostError } from "../../host/host";
import { t } from "../../locales/i18n";

/** The revocation of one robot at a time: the robot that is asked about, the folder of the new rules, and the call. */
export type RobotRevocation = {
  asked: { robot: string; folder: string } | null;
  pending: boolean;
  error: HostError | null;
  /** Asks about a robot, or about none any more. */
  ask: (robot: string | null) => void;
  setFolder: (folder: string) => void;
  /** Revokes the robot that is asked about. */
  revoke: () => void;
};

/** For the list of robots: the form of a robot is gone once it is revoked, before the answer comes. */
export function useRobotRevocation(): RobotRevocation {
  const [asked, setAsked] = useState<{ robot: string; folder: string } | null>(null);
  const call = useOperation("revoke_robot");
  return {
    asked,
    pending: call.pending,
    error: call.error,
    ask: (robot) => {
      call.forget();
      setAsked(robot === null ? null : { robot, folder: "" });
    },
    setFolder: (folder) => {
      call.forget();
      setAsked(asked && { ...asked, folder });
    },
    revoke: () => {
      if (asked === null) return;
      const { robot, folder } = asked;
      call.run({ robot, folder: folder.trim() }, () => {
        setAsked(null);
        say({ text: t("connections.is_revoked", { robot }) });
      });
    },
  };
}
