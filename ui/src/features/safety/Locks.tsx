import type { LeaseOwner } from "../../generated/bindings/LeaseOwner";
import type { LockRow } from "../../generated/bindings/LockRow";
import { Panel } from "../../design/layout/Panel";
import { Rows } from "../../design/components/Rows";
import table from "../../design/components/table.module.css";
import { NO_NUMBER } from "../../design/format/numbers";
import { useLive } from "../../domain/station/useLive";
import { useRows } from "../../domain/station/useRows";
import { t } from "../../locales/i18n";
import { match } from "../../host/variants";
import sections from "./sections.module.css";

/** Every actuator, of one robot or of all, and whose motion uses it. */
export function Locks({ robot }: { robot: string | null }) {
  const locks = useRows("locks", "list_locks", {});
  return (
    <Panel title={t("locks.title")} aside={t("locks.what")}>
      <Rows query={locks} what={t("locks.title")}>
        {({ rows: all }) => {
          const rows = all.filter((row) => robot === null || row.robot === robot);
          return rows.length === 0 ? <p className={sections.line}>{t("locks.none")}</p> : <Table rows={rows} />;
        }}
      </Rows>
    </Panel>
  );
}

function Table({ rows }: { rows: readonly LockRow[] }) {
  const session = useLive((store) => store.session?.session_id);
  return (
    <div className={table.scroll}>
      <table className={table.table} data-testid="locks">
        <thead>
          <tr>
            <th scope="col">{t("locks.part")}</th>
            <th scope="col">{t("locks.owner")}</th>
            <th scope="col" className={table.number}>
              {t("locks.token")}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ resource, owner, token }) => (
            <tr key={resource} data-free={owner === null}>
              <th scope="row" className={table.key}>
                {resource}
              </th>
              <td className={owner === null ? table.muted : undefined}>
                {owner === null ? t("locks.free") : ownerText(owner, session)}
              </td>
              <td className={table.number}>{token ?? NO_NUMBER}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function ownerText(owner: LeaseOwner, session: string | undefined): string {
  return match(owner, {
    // By the session: the same person may sit at another desk, and that is not this one.
    person: (person) => (person.session === session ? t("locks.you") : person.name),
    agent: ({ id }) => t("locks.agent", { id }),
    mission: ({ id }) => t("locks.mission", { id }),
  });
}
