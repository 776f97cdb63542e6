import { useEffect, useRef } from "react";
import { Button } from "../design/components/Button";
import { t } from "../locales/i18n";
import { type Scope, SHORTCUTS } from "../design/shortcuts/shortcuts";
import styles from "./ShortcutSheet.module.css";

/** In the order a reader looks for them: what acts everywhere comes first. */
const SCOPES: readonly Scope[] = [
  "anywhere",
  "outside_text",
  "after_g",
  "tile",
  "alarm",
  "card",
  "form",
  "scene",
  "timeline",
  "jog",
];

/** Every key the window listens to, and where it acts (U-1904). Opens below the top bar, which nothing covers. */
export function ShortcutSheet({ onClose }: { onClose: () => void }) {
  const close = useRef<HTMLButtonElement>(null);

  // Synchronises with the focus of the window: it goes into the sheet and back to where it was.
  useEffect(() => {
    const before = document.activeElement;
    close.current?.focus();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape closes it from wherever the focus is in it
    <div
      role="dialog"
      aria-label={t("shortcut_sheet.title")}
      className={styles.sheet}
      data-testid="shortcut-sheet"
      onKeyDown={(event) => {
        if (event.key === "Escape") onClose();
      }}
    >
      <div className={styles.head}>
        <h2>{t("shortcut_sheet.title")}</h2>
        <Button ref={close} onClick={onClose}>
          {t("common.close")}
        </Button>
      </div>
      <div className={styles.groups}>
        {SCOPES.map((scope) => (
          <section key={scope} className={styles.group}>
            <h3>{t(`shortcut_scope.${scope}`)}</h3>
            <dl>
              {SHORTCUTS.filter((shortcut) => shortcut.scope === scope && shortcut.id !== "begin_go").map(
                ({ id, hint }) => (
                  <div key={id}>
                    <dt>{t(`shortcut.${id}`)}</dt>
                    <dd>
                      <kbd>{hint}</kbd>
                    </dd>
                  </div>
                ),
              )}
            </dl>
          </section>
        ))}
      </div>
    </div>
  );
}
