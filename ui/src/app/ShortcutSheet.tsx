import { Dialog } from "../design/components/Dialog";
import { Keys } from "../design/components/Keys";
import { t } from "../locales/i18n";
import { hintOf, type Scope, SHORTCUTS } from "../design/shortcuts/shortcuts";
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
  "mission",
  "scene",
  "timeline",
  "jog",
];

/** Every key the window listens to, and where it acts (U-1904). */
export function ShortcutSheet({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={t("shortcut_sheet.title")} size="wide" testId="shortcut-sheet" onClose={onClose}>
      <div className={styles.groups}>
        {SCOPES.map((scope) => (
          <section key={scope} className={styles.group}>
            <h3>{t(`shortcut_scope.${scope}`)}</h3>
            <dl>
              {SHORTCUTS.filter((shortcut) => shortcut.scope === scope && shortcut.id !== "begin_go").map(({ id }) => (
                <div key={id}>
                  <dt>{t(`shortcut.${id}`)}</dt>
                  <dd>
                    <Keys>{hintOf(id)}</Keys>
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
