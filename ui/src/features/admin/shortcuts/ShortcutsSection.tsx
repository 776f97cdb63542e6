import { type RefObject, useEffect, useRef } from "react";
import { Button } from "../../../design/components/Button";
import table from "../../../design/components/table.module.css";
import { SwitchField } from "../../../design/fields/SwitchField";
import { Panel } from "../../../design/layout/Panel";
import { isChanged, keepKeys, type KeysInForce, useKeysInForce } from "../../../design/shortcuts/keys-in-force";
import { SCOPES, type Scope, type ShortcutId, SHORTCUTS } from "../../../design/shortcuts/shortcuts";
import { t } from "../../../locales/i18n";
import { ShortcutRow } from "./ShortcutRow";
import styles from "./Shortcuts.module.css";
import { type KeyChoice, useKeyChoice } from "./useKeyChoice";

/** Every key of this desk, each changed by pressing another one, and whether keys that write act (U-1902). */
export function ShortcutsSection() {
  const keys = useKeysInForce();
  const choosing = useKeyChoice(keys);
  const list = useRef<HTMLTableElement>(null);
  useFocusOnRow(list, choosing.choice?.id ?? null);
  const changed = [...keys.chords].some(([id, chord]) => isChanged(id, chord));
  return (
    <>
      <Panel title={t("shortcuts.characters_title")}>
        <div className={styles.characters}>
          <SwitchField
            label={t("shortcuts.characters")}
            on={keys.characters}
            testId="character-keys"
            onChange={(characters) => keepKeys({ characters, chords: keys.chords })}
          />
          <p className={styles.hint}>{t("shortcuts.characters_hint")}</p>
        </div>
      </Panel>
      <Panel
        title={t("shortcuts.title")}
        aside={
          <Button data-testid="reset-keys" disabled={!changed} onClick={choosing.resetAll}>
            {t("shortcuts.reset_all")}
          </Button>
        }
      >
        <p className={styles.about}>{t("shortcuts.about")}</p>
        <p className={styles.said} role="status" data-testid="key-said">
          {choosing.said}
        </p>
        <table ref={list} className={table.table} data-testid="shortcut-table">
          <thead>
            <tr>
              <th scope="col">{t("shortcuts.action")}</th>
              <th scope="col">{t("shortcuts.key")}</th>
              <th scope="col">{t("shortcuts.change")}</th>
            </tr>
          </thead>
          {SCOPES.map((scope) => (
            <Group key={scope} scope={scope} keys={keys} choosing={choosing} />
          ))}
        </table>
      </Panel>
    </>
  );
}

type GroupProps = { scope: Scope; keys: KeysInForce; choosing: KeyChoice };

/** The actions that are reached in one place. */
function Group({ scope, keys, choosing }: GroupProps) {
  const { choice } = choosing;
  return (
    <tbody>
      <tr>
        <th scope="rowgroup" colSpan={3} className={styles.scope}>
          {t(`shortcut_scope.${scope}`)}
        </th>
      </tr>
      {SHORTCUTS.filter((shortcut) => shortcut.scope === scope).map(({ id }) => (
        <ShortcutRow
          key={id}
          id={id}
          keys={keys}
          wanted={choice?.id === id ? choice : null}
          onBegin={() => choosing.begin(id)}
          onWish={(chord) => choosing.wish(id, chord)}
          onSwap={(other) => choosing.swap(id, other)}
          onReset={() => choosing.reset(id)}
          onGiveUp={choosing.giveUp}
        />
      ))}
    </tbody>
  );
}

/** Whoever has chosen a key, or given up, is on the row again. */
function useFocusOnRow(list: RefObject<HTMLElement | null>, open: ShortcutId | null): void {
  const before = useRef<ShortcutId | null>(null);

  // Synchronises with the focus of the window, which went away with the button that took the key.
  useEffect(() => {
    const left = before.current;
    before.current = open;
    if (left === null || open !== null || document.activeElement !== document.body) return;
    list.current?.querySelector<HTMLElement>(`[data-testid="change-${left}"]`)?.focus();
  }, [list, open]);
}
