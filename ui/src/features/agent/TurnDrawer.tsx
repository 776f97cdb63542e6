import { useEffect, useRef } from "react";
import { Button } from "../../design/components/Button";
import { Refusal } from "../../design/components/Refusal";
import { Rows } from "../../design/components/Rows";
import { useOperation } from "../../domain/station/useOperation";
import { useRows } from "../../domain/station/useRows";
import { t } from "../../locales/i18n";
import { saveFile } from "../../host/save-file";
import styles from "./TurnDrawer.module.css";
import { TurnCall } from "./TurnCall";

/** The context of a turn: every call with exactly the text that the model was shown in it (V-03, U-908). */
export function TurnDrawer({ turn, onClose }: { turn: string; onClose: () => void }) {
  const view = useRows("transcript", "get_turn_view", { turn });
  const save = useOperation("export_turn");
  const drawer = useRef<HTMLElement>(null);

  // Synchronises with the focus of the window: it goes into the drawer and back to what opened it.
  useEffect(() => {
    const before = document.activeElement;
    drawer.current?.focus();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);

  return (
    <section
      ref={drawer}
      className={styles.drawer}
      // Not modal: the conversation beside it stays in reach, and STOP with it.
      role="dialog"
      aria-label={t("turn_view.title")}
      tabIndex={-1}
      data-testid="turn-view"
      onKeyDown={(event) => {
        if (event.key === "Escape") onClose();
      }}
    >
      <header className={styles.head}>
        <h2 className={styles.title}>{t("turn_view.title")}</h2>
        <Button
          look="quiet"
          disabled={save.pending}
          onClick={() => save.run({ turn, form: "markdown" }, ({ name, text }) => saveFile(name, text))}
        >
          {t("turn_view.save_markdown")}
        </Button>
        <Button
          look="quiet"
          disabled={save.pending}
          onClick={() => save.run({ turn, form: "json" }, ({ name, text }) => saveFile(name, text))}
        >
          {t("turn_view.save_json")}
        </Button>
        <Button data-testid="turn-view-close" onClick={onClose}>
          {t("common.close")}
        </Button>
      </header>
      <Refusal error={save.error} />
      <div className={styles.calls}>
        <Rows query={view} what={t("turn_view.title")}>
          {({ rows }) =>
            rows.calls.map((call, place) => (
              <TurnCall key={call.row.id} call={call} texts={rows.texts} place={place} count={rows.calls.length} />
            ))
          }
        </Rows>
      </div>
    </section>
  );
}
