import { useEffect, useId, useRef } from "react";
import type { ConstraintRow } from "../../generated/bindings/ConstraintRow";
import { Button } from "../../design/components/Button";
import table from "../../design/components/table.module.css";
import { NO_NUMBER } from "../../design/format/numbers";
import { useAdminRefusal } from "../../domain/station/useAdminRefusal";
import { useCommandRefusal } from "../../domain/station/useCommandRefusal";
import { t } from "../../locales/i18n";
import { hasPlace, kindOf, kindText } from "./limit-kinds";
import { boundsOf, scopeText } from "./limit-words";
import styles from "./SetTable.module.css";

/** Changes that can be made to a limit in force. */
export type Change = "tighten" | "loosen" | "remove";

const CHANGES: readonly Change[] = ["tighten", "loosen", "remove"];

type SetTableProps = {
  rows: readonly ConstraintRow[];
  defaultFrame: string;
  /** The limit somebody looks for. */
  shown: string | undefined;
  onChange: (row: ConstraintRow, change: Change) => void;
};

/** Every limit in force, where it comes from, and what may be changed. */
export function SetTable({ rows, defaultFrame, shown, onChange }: SetTableProps) {
  const body = useRef<HTMLTableSectionElement>(null);

  // Synchronises with the scroll position and the focus: who asked for a limit wants to be there.
  useEffect(() => {
    if (shown === undefined) return;
    const row = body.current?.querySelector<HTMLElement>("[aria-current=true]");
    row?.scrollIntoView({ block: "center" });
    row?.focus({ preventScroll: true });
  }, [shown]);

  return (
    <div className={table.scroll}>
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">{t("safety.kind")}</th>
            <th scope="col">{t("safety.numbers")}</th>
            <th scope="col">{t("safety.frame")}</th>
            <th scope="col">{t("safety.scope")}</th>
            <th scope="col">{t("safety.change")}</th>
          </tr>
        </thead>
        <tbody ref={body}>
          {rows.map((row) => (
            <tr
              key={row.id}
              data-testid={`limit-${row.id}`}
              className={styles.row}
              tabIndex={row.id === shown ? -1 : undefined}
              aria-current={row.id === shown ? "true" : undefined}
            >
              <th scope="row" title={row.id}>
                {kindText(kindOf(row.constraint))}
              </th>
              <td className={`${table.wrap} ${styles.bounds}`}>
                {boundsOf(row.constraint).map((bound) => (
                  <span key={bound} className={styles.bound}>
                    {bound}{" "}
                  </span>
                ))}
              </td>
              <td>{hasPlace(kindOf(row.constraint)) ? (row.frame ?? defaultFrame) : NO_NUMBER}</td>
              <td className={table.wrap}>{scopeText(row)}</td>
              <td>
                <Changes row={row} onChange={(change) => onChange(row, change)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Changes({ row, onChange }: { row: ConstraintRow; onChange: (change: Change) => void }) {
  const commands = useCommandRefusal();
  const admin = useAdminRefusal();
  const why = useId();
  // Limits of a manifest change with its file, and not here.
  if (row.scope === "manifest") return <span className={table.muted}>{t("safety.from_manifest")}</span>;
  const limit = `${kindText(kindOf(row.constraint))} ${row.id}`;
  const refusals: Record<Change, string | null> = { tighten: commands, loosen: admin, remove: admin };
  return (
    <>
      <span className={styles.changes}>
        {CHANGES.map((change) => (
          <Button
            key={change}
            className={styles.change}
            data-testid={`${change}-${row.id}`}
            aria-label={t(`safety.${change}_name`, { limit })}
            aria-describedby={refusals[change] === null ? undefined : why}
            disabled={refusals[change] !== null}
            onClick={() => onChange(change)}
          >
            {t(`safety.${change}`)}
          </Button>
        ))}
      </span>
      {admin !== null && (
        <small id={why} className={styles.why}>
          {admin}
        </small>
      )}
    </>
  );
}
