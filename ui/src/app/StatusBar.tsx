import { useEffect, useState } from "react";
import { openStopSheet } from "../host/stop-sheet";
import { AdminGrant } from "../domain/station/AdminGrant";
import { formatClockZone } from "../design/format/time";
import { useLive } from "../domain/station/useLive";
import { useRows } from "../domain/station/useRows";
import { standingText, useStanding } from "../domain/robot/useStanding";
import { t } from "../locales/i18n";
import { useHints } from "../design/shortcuts/keys-in-force";
import { LockButton } from "./LockButton";
import { newsOf } from "./news";
import styles from "./StatusBar.module.css";

/** Agent and model, the newest event, the time of day and the version; `onKeys` shows what keys there are. */
export function StatusBar({ onKeys }: { onKeys: () => void }) {
  const hints = useHints();
  const session = useLive((store) => store.session);
  const standing = useStanding();
  const news = useLive(newsOf);
  const said = useLive((store) => store.lastEvent?.sentence);
  const turn = useLive((store) => store.turn);
  const agent = useLive((store) => store.agent ?? store.session?.agent ?? null);
  // The session was asked for at the start; a model may have been chosen since.
  const row = useRows("agents", "list_agents", {}).data?.rows.find(({ id }) => id === agent);
  const model = row?.model ?? session?.model;
  // A turn that began before this window was opened is known from the list alone.
  const busy = turn ? !turn.ended : (row?.running ?? null) !== null;
  return (
    <footer className={styles.bar}>
      {session && (
        <span className={styles.part}>
          {t(busy ? "status.busy" : "status.idle", { agent })}
          {model && ` · ${t(`model.${model.kind}`, { name: model.name })}`}
        </span>
      )}
      {standing && (
        <button
          type="button"
          className={`${styles.act} ${styles.stopped}`}
          data-testid="status-stopped"
          aria-haspopup="dialog"
          title={t("stopped.open_name")}
          onClick={openStopSheet}
        >
          {standingText(standing)}
        </button>
      )}
      <span className={styles.event} title={news === null ? undefined : said}>
        {news}
      </span>
      {session && (
        <span className={styles.part}>
          {session.actor} · {t(`role.${session.role}`)}
        </span>
      )}
      <button
        type="button"
        className={styles.act}
        data-testid="keys"
        title={hints.title("sheet")}
        aria-keyshortcuts={hints.aria("sheet")}
        onClick={onKeys}
      >
        {t("shortcut_sheet.title")}
      </button>
      <LockButton />
      <AdminGrant low />
      <TimeOfDay />
      {session && <span className={styles.part}>{t("status.version", { version: session.version })}</span>}
    </footer>
  );
}

/** This desk's clock, always with its zone. */
function TimeOfDay() {
  const [now_ms, setNow] = useState(() => Date.now());

  // Synchronises with the clock of this computer, once a second.
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);

  return <time className={styles.part}>{formatClockZone(now_ms)}</time>;
}
