import { useState } from "react";
import { Button } from "../../design/components/Button";
import { Refusal } from "../../design/components/Refusal";
import { say } from "../../design/components/toast-queue";
import { TextField } from "../../design/fields/TextField";
import { useAdminRefusal } from "../../domain/station/useAdminRefusal";
import { useOperation } from "../../domain/station/useOperation";
import { t } from "../../locales/i18n";
import styles from "./Admin.module.css";

/** Takes a robot out of the router's rules; asks for the folder of the new rules first. */
export function RevokeRobot({ robot }: { robot: string }) {
  const [folder, setFolder] = useState<string | null>(null);
  const revoke = useOperation("revoke_robot");
  const refusal = useAdminRefusal();
  if (folder === null) {
    return (
      <Button
        look="quiet"
        size="row"
        data-testid={`revoke-${robot}`}
        aria-label={t("connections.revoke_of", { robot })}
        disabled={refusal !== null}
        onClick={() => setFolder("")}
      >
        {t("access.revoke")}
      </Button>
    );
  }
  const done = () => {
    setFolder(null);
    say({ text: t("connections.is_revoked", { robot }) });
  };
  return (
    <span className={styles.acts}>
      <TextField
        label={t("connections.rules_folder")}
        value={folder}
        problem={null}
        testId={`revoke-folder-${robot}`}
        onChange={(next) => {
          setFolder(next);
          revoke.forget();
        }}
      />
      <Button
        data-testid={`revoke-yes-${robot}`}
        disabled={folder.trim() === "" || revoke.pending}
        onClick={() => revoke.run({ robot, folder: folder.trim() }, done)}
      >
        {revoke.pending ? t("hold.sending") : t("connections.do_revoke")}
      </Button>
      <Button look="quiet" onClick={() => setFolder(null)}>
        {t("safety.cancel")}
      </Button>
      <Refusal error={revoke.error} />
    </span>
  );
}
