import { useState } from "react";
import type { CredentialsExport } from "../../generated/bindings/CredentialsExport";
import { Button } from "../../design/components/Button";
import { Refusal } from "../../design/components/Refusal";
import { TextField } from "../../design/fields/TextField";
import { Panel } from "../../design/layout/Panel";
import { useAdminRefusal } from "../../domain/station/useAdminRefusal";
import { useOperation } from "../../domain/station/useOperation";
import { t } from "../../locales/i18n";
import { codedText } from "../../locales/station-words";
import styles from "./Admin.module.css";

/** Makes certificates and the router's rules, and exports them once to a folder. */
export function CredentialsForm({ address }: { address: string | null }) {
  const [folder, setFolder] = useState("");
  const [router, setRouter] = useState("");
  const [made, setMade] = useState<CredentialsExport | null>(null);
  const issue = useOperation("issue_credentials");
  const refusal = useAdminRefusal();
  const isWhole = folder.trim() !== "" && (address !== null || router.trim() !== "");
  const send = () => {
    if (!isWhole || refusal !== null) return;
    // The files of the last export are not those of this one, which may be refused.
    setMade(null);
    issue.run(
      { folder: folder.trim(), router: router.trim() === "" ? null : router.trim(), robots: null },
      (answer) => {
        setMade(answer);
        setFolder("");
        setRouter("");
      },
    );
  };
  return (
    <Panel title={t("connections.make")}>
      <form
        noValidate
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <TextField
          label={t("connections.folder")}
          value={folder}
          problem={null}
          testId="credentials-folder"
          onChange={(next) => {
            setFolder(next);
            issue.forget();
          }}
        />
        <TextField
          label={address === null ? t("connections.address") : t("connections.address_again")}
          value={router}
          problem={null}
          testId="credentials-router"
          onChange={(next) => {
            setRouter(next);
            issue.forget();
          }}
        />
        <Button
          type="submit"
          look="primary"
          data-testid="credentials-make"
          disabled={refusal !== null || !isWhole || issue.pending}
        >
          {issue.pending ? t("hold.sending") : t("connections.export")}
        </Button>
        <span className={`${styles.hint} ${styles.wide}`}>
          {refusal ?? (address === null ? t("connections.means") : t("connections.means_again", { address }))}
        </span>
        <div className={styles.wide}>
          <Refusal error={issue.error} />
        </div>
      </form>
      {made !== null && <Exported made={made} />}
    </Panel>
  );
}

/** The files that were exported, and what comes next. */
export function Exported({ made }: { made: CredentialsExport }) {
  return (
    <div className={styles.line} role="status" data-testid="credentials-made">
      <span className={styles.wide}>
        {t("connections.exported", { count: made.files.length })} <code className={styles.result}>{made.folder}</code>
      </span>
      {made.left_out.map(({ robot, reason, hindrance }) => (
        <span key={robot} className={`${styles.hint} ${styles.wide}`}>
          <bdi>{robot}</bdi>: {codedText("certificate_hindrance", hindrance, reason)}
        </span>
      ))}
      <span className={`${styles.hint} ${styles.wide}`}>
        {t(made.restart_needed ? "connections.next_issue" : "connections.next_revoke")}
      </span>
    </div>
  );
}
