import { useState } from "react";
import { Button } from "../../design/components/Button";
import { Refusal } from "../../design/components/Refusal";
import { TextField } from "../../design/fields/TextField";
import { useAdminRefusal } from "../../domain/station/useAdminRefusal";
import { useOperation } from "../../domain/station/useOperation";
import { t } from "../../locales/i18n";
import styles from "./Admin.module.css";

/** Exports the router's rules alone: with them the router lets in the robot that was just paired. */
export function RouterRules() {
  const [folder, setFolder] = useState("");
  const [made, setMade] = useState<string | null>(null);
  const issue = useOperation("issue_credentials");
  const refusal = useAdminRefusal();
  const send = () => {
    setMade(null);
    issue.run({ folder: folder.trim(), router: null, robots: [] }, (answer) => {
      setMade(answer.folder);
      setFolder("");
    });
  };
  return (
    <div className={styles.line}>
      <TextField
        label={t("connections.rules_folder")}
        value={folder}
        problem={null}
        testId="pairing-rules-folder"
        onChange={(next) => {
          setFolder(next);
          issue.forget();
        }}
      />
      <Button
        data-testid="pairing-rules"
        disabled={refusal !== null || folder.trim() === "" || issue.pending}
        onClick={send}
      >
        {issue.pending ? t("hold.sending") : t("pairing.rules")}
      </Button>
      {refusal !== null && <span className={`${styles.hint} ${styles.wide}`}>{refusal}</span>}
      <Refusal error={issue.error} />
      <span role="status" className={styles.wide}>
        {made !== null && t("pairing.rules_made", { folder: made })}
      </span>
    </div>
  );
}
