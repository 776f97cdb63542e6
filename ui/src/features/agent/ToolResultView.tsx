import tables from "../../design/components/table.module.css";
import { t } from "../../locales/i18n";
import { ArgTree } from "./ArgTree";
import { type ResultTable, splitTables } from "./result-table";
import styles from "./ToolRow.module.css";

type ToolResultViewProps = { text: string; value: unknown; source: string | null };

/**
 * The result as it is, its lists as tables; words from elsewhere are quoted with their origin, and never read as
 * anything else (U-903).
 */
export function ToolResultView({ text, value, source }: ToolResultViewProps) {
  const { tables: lists, rest } = splitTables(value);
  const shown =
    lists.length === 0 ? (
      <pre className={styles.json} tabIndex={0}>
        {text}
      </pre>
    ) : (
      <>
        {lists.map(([name, table]) => (
          <List key={name} name={name} table={table} />
        ))}
        <ArgTree value={rest} />
      </>
    );
  // No source means that the station vouches for the words.
  if (source === null) return shown;
  return (
    <figure className={styles.quoted} data-testid="quoted">
      <figcaption>{t("agent.quoted", { source })}</figcaption>
      {shown}
    </figure>
  );
}

function List({ name, table: { columns, rows, in_every_row } }: { name: string; table: ResultTable }) {
  return (
    <>
      <div className={`${tables.scroll} ${styles.list}`} tabIndex={0} role="group" aria-label={name}>
        <table className={tables.table} data-testid="result-table">
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, place) => (
              <tr key={place}>
                {columns.map((column, at) => (
                  <Cell key={column} value={row[at]} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {in_every_row !== undefined && <ArgTree value={{ [t("tool.in_every_row")]: in_every_row }} />}
    </>
  );
}

function Cell({ value }: { value: unknown }) {
  if (value === null || value === undefined) return <td className={tables.muted}>–</td>;
  if (typeof value === "number") return <td className={tables.number}>{value}</td>;
  return <td className={tables.key}>{typeof value === "string" ? value : JSON.stringify(value)}</td>;
}
