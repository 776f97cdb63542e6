import { Link } from "wouter";
import { Dialog } from "../design/components/Dialog";
import { Keys } from "../design/components/Keys";
import { t } from "../locales/i18n";
import { useHints } from "../design/shortcuts/keys-in-force";
import { SCOPES, SHORTCUTS } from "../design/shortcuts/shortcuts";
import styles from "./ShortcutSheet.module.css";

/** Every key the window listens to, and where it acts (U-1904), as this desk has it. */
export function ShortcutSheet({ onClose }: { onClose: () => void }) {
  const hints = useHints();
  return (
    <Dialog title={t("shortcut_sheet.title")} size="wide" testId="shortcut-sheet" onClose={onClose}>
      <p className={styles.change}>
        <Link href="/admin/shortcuts" data-testid="change-keys" onClick={onClose}>
          {t("shortcut_sheet.change")}
        </Link>
      </p>
      <div className={styles.groups}>
        {SCOPES.map((scope) => (
          <section key={scope} className={styles.group}>
            <h3>{t(`shortcut_scope.${scope}`)}</h3>
            <dl>
              {SHORTCUTS.filter((shortcut) => shortcut.scope === scope && shortcut.id !== "begin_go").map(({ id }) => (
                <div key={id}>
                  <dt>{t(`shortcut.${id}`)}</dt>
                  <dd>{hints.of(id) === "" ? t("shortcut_sheet.off") : <Keys>{hints.of(id)}</Keys>}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
