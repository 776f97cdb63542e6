import { useId, useState } from "react";
import { Button } from "../../design/components/Button";
import { HoldButton } from "../../design/components/HoldButton";
import { Refusal } from "../../design/components/Refusal";
import { saveFile } from "../../host/save-file";
import { useCommandRefusal } from "../../domain/station/useCommandRefusal";
import { useOperation } from "../../domain/station/useOperation";
import { useRows } from "../../domain/station/useRows";
import { t } from "../../locales/i18n";
import styles from "./Conversations.module.css";

/**
 * The conversation that is shown: kept at the top, saved as a file, or begun anew. What was said stays on disk, but not
 * in the agent's view (S-44).
 */
export function ConversationActs({ session }: { session: string }) {
  const [asked, setAsked] = useState(false);
  const reset = useOperation("reset_session");
  const save = useOperation("export_session");
  const pin = useOperation("pin_session");
  const row = useRows("transcript", "list_sessions", {}).data?.rows.find((listed) => listed.session === session);
  const refusal = useCommandRefusal();
  const about = useId();
  return (
    <div className={styles.acts}>
      <Button
        look="quiet"
        data-testid="conversation-save"
        disabled={save.pending}
        onClick={() => save.run({ session, form: "markdown" }, ({ name, text }) => saveFile(name, text))}
      >
        {t("conversations.save")}
      </Button>
      {row && row.channel === "desk" && (
        <Button
          look="quiet"
          data-testid="conversation-pin"
          aria-pressed={row.pinned}
          disabled={refusal !== null || pin.pending}
          onClick={() => pin.run({ session, on: !row.pinned })}
        >
          {row.pinned ? t("conversations.unpin") : t("conversations.pin")}
        </Button>
      )}
      <Button
        look="quiet"
        data-testid="conversation-reset"
        aria-expanded={asked}
        disabled={refusal !== null}
        onClick={() => setAsked(!asked)}
      >
        {t("conversations.reset")}
      </Button>
      {asked && (
        <div className={styles.asked} role="group" aria-labelledby={about}>
          <p id={about}>{t("conversations.reset_about")}</p>
          <HoldButton
            label={t("conversations.do_reset")}
            version={session}
            needsHold={false}
            disabled={refusal !== null}
            pending={reset.pending}
            testId="conversation-reset-yes"
            onAct={() => reset.run({ session }, () => setAsked(false))}
          />
        </div>
      )}
      <Refusal error={save.error ?? pin.error ?? reset.error} />
    </div>
  );
}
