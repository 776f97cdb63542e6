import { Button } from "../../design/components/Button";
import { Refusal } from "../../design/components/Refusal";
import { TextField } from "../../design/fields/TextField";
import { useAdminRefusal } from "../../domain/station/useAdminRefusal";
import { useAskedFocus } from "../../domain/station/useAsked";
import { t } from "../../locales/i18n";
import styles from "./Admin.module.css";
import type { RobotRevocation } from "./useRobotRevocation";

/** Takes a robot out of the router's rules; asks for the folder of the new rules first. */
export function RevokeRobot({ robot, revocation }: { robot: string; revocation: RobotRevocation }) {
  const { asked, pending, error, ask, setFolder, revoke } = revocation;
  const refusal = useAdminRefusal();
  const { asks, givesUp } = useAskedFocus(asked?.robot === robot);
  if (asked?.robot !== robot) {
    return (
      <Button
        ref={asks}
        look="quiet"
        size="row"
        data-testid={`revoke-${robot}`}
        aria-label={t("connections.revoke_of", { robot })}
        disabled={refusal !== null || pending}
        onClick={() => ask(robot)}
      >
        {t("access.revoke")}
      </Button>
    );
  }
  return (
    <span className={styles.acts}>
      <TextField
        label={t("connections.rules_folder")}
        value={asked.folder}
        problem={null}
        testId={`revoke-folder-${robot}`}
        onChange={setFolder}
      />
      <Button
        data-testid={`revoke-yes-${robot}`}
        disabled={refusal !== null || asked.folder.trim() === "" || pending}
        onClick={revoke}
      >
        {pending ? t("hold.sending") : t("connections.do_revoke")}
      </Button>
      <Button ref={givesUp} look="quiet" disabled={pending} onClick={() => ask(null)}>
        {t("safety.cancel")}
      </Button>
      <Refusal error={error} />
    </span>
  );
}
