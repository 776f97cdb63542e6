import { Printer } from "lucide-react";
import { useQueryClient } from "@tanstack/react-query";
import { Button } from "../../design/components/Button";
import { Refusal } from "../../design/components/Refusal";
import { useCommandRefusal } from "../../domain/station/useCommandRefusal";
import { useOperation } from "../../domain/station/useOperation";
import { stopNotice } from "../../domain/stop/stop-notice";
import type { NoticeState } from "../../generated/bindings/NoticeState";
import { t } from "../../locales/i18n";
import styles from "./Welcome.module.css";

/** The notice, word for word; its acceptance is kept by the station, with the name of the desk (U-612). */
export function StopStep({ notice, onDone }: { notice: NoticeState; onDone: () => void }) {
  const accept = useOperation("accept_notice");
  const refusal = useCommandRefusal();
  const queries = useQueryClient();
  const accepted = notice.accepted_by !== null;
  const onAccept = () =>
    accept.run({}, () => {
      // No tag announces that the notice was accepted.
      void queries.invalidateQueries({ queryKey: ["safety", "notice_state"] });
      onDone();
    });
  return (
    <>
      <h1 className={styles.title}>{t("welcome.stop_title")}</h1>
      <p className={styles.notice} data-testid="welcome-notice">
        {stopNotice()}
      </p>
      <Refusal error={accept.error} />
      <div className={styles.acts}>
        <Button look="quiet" data-testid="welcome-print" onClick={() => print()}>
          <Printer aria-hidden="true" /> {t("welcome.print")}
        </Button>
        <span className={styles.hint}>{!accepted && refusal}</span>
        <Button
          look="primary"
          size="large"
          data-testid="welcome-accept"
          disabled={!accepted && (refusal !== null || accept.pending)}
          onClick={accepted ? onDone : onAccept}
        >
          {t(accepted ? "welcome.go_on" : "welcome.accept")}
        </Button>
      </div>
    </>
  );
}
