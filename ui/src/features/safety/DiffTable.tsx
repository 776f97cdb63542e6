import type { ConstraintKind } from "../../generated/bindings/ConstraintKind";
import table from "../../design/components/table.module.css";
import { exactText } from "../../design/fields/decimal";
import { t } from "../../locales/i18n";
import styles from "./DiffTable.module.css";
import { diffLimits, type DiffRow } from "./limit-diff";

type DiffTableProps = { old_limit: ConstraintKind; new_limit: ConstraintKind | null };

/** Old and new of every number, with every digit. No new limit means it would be removed. */
export function DiffTable({ old_limit, new_limit }: DiffTableProps) {
  return (
    <table className={`${table.table} ${styles.diff}`} data-testid="diff">
      <thead>
        <tr>
          <th scope="col">{t("limit_form.quantity")}</th>
          <th scope="col" className={table.number}>
            {t("limit_form.old")}
          </th>
          <th scope="col" className={table.number}>
            {t("limit_form.new")}
          </th>
        </tr>
      </thead>
      <tbody>
        {diffLimits(old_limit, new_limit).map((row) => (
          <tr key={row.path} data-changed={row.changed}>
            <th scope="row">{row.label}</th>
            <td className={table.number}>{oldText(row)}</td>
            <td className={table.number}>{newText(row)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function oldText({ old_value, unit }: DiffRow): string {
  return old_value === null ? t("limit_form.not_set") : `${exactText(old_value)} ${unit}`;
}

function newText({ old_value, new_value, unit, changed }: DiffRow): string {
  if (new_value === null && old_value !== null) return t("limit_form.removed");
  return changed && new_value !== null ? `→ ${exactText(new_value)} ${unit}` : t("limit_form.unchanged");
}
