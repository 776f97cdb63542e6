import { Button } from "../../design/components/Button";
import { useStation } from "../../domain/station/station-context";
import { useLive } from "../../domain/station/useLive";
import { t } from "../../locales/i18n";
import styles from "./Elsewhere.module.css";

/** The agent works in another conversation, or has: one line, and the way there. */
export function Elsewhere() {
  const { store } = useStation();
  const turn = useLive((live) => live.elsewhere);
  if (turn === null) return null;
  const { session, ended } = turn;
  const own = session === store.session?.session;
  return (
    <p className={styles.line} data-testid="elsewhere">
      <span>
        {t(ended ? "elsewhere.ended" : "elsewhere.running", {
          where: t(own ? "elsewhere.desk" : session === "autonomy" ? "elsewhere.autonomy" : "elsewhere.other", {
            session,
          }),
        })}
      </span>
      <Button look="quiet" onClick={() => store.chooseConversation(own ? null : session)}>
        {t("elsewhere.open")}
      </Button>
    </p>
  );
}
