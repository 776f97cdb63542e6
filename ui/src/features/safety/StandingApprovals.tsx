import type { StandingApprovalRow } from "../../generated/bindings/StandingApprovalRow";
import { Button } from "../../design/components/Button";
import { Panel } from "../../design/layout/Panel";
import { Refusal } from "../../design/components/Refusal";
import { Rows } from "../../design/components/Rows";
import table from "../../design/components/table.module.css";
import { exactText } from "../../design/fields/decimal";
import { formatAge } from "../../design/format/time";
import { useCommandRefusal } from "../../domain/station/useCommandRefusal";
import { useHeldOrder } from "../../design/layout/useHeldOrder";
import { useLive } from "../../domain/station/useLive";
import { useOperation } from "../../domain/station/useOperation";
import { useRows } from "../../domain/station/useRows";
import { t } from "../../locales/i18n";
import { Behind } from "../../design/layout/Behind";
import sections from "./sections.module.css";
import set from "./SetTable.module.css";

/** Motions that happen without a click each, for one robot or for all: within which bounds, how often, how long yet. */
export function StandingApprovals({ robot }: { robot: string | null }) {
  const approvals = useRows("proposals", "list_standing_approvals", {});
  return (
    <Panel title={t("standing.title")}>
      <Rows query={approvals} what={t("standing.title")}>
        {({ rows }) => <Table rows={rows.filter((row) => robot === null || row.robot === robot)} />}
      </Rows>
    </Panel>
  );
}

function Table({ rows }: { rows: readonly StandingApprovalRow[] }) {
  const { rows: lines, behind, letIn, handlers } = useHeldOrder(rows, ({ id }) => id);
  if (lines.length === 0) return <p className={sections.line}>{t("standing.none")}</p>;
  return (
    <div className={table.scroll} {...handlers}>
      <table className={table.table} data-testid="standing-approvals">
        <thead>
          <tr>
            <th scope="col">{t("standing.robot")}</th>
            <th scope="col">{t("standing.bounds")}</th>
            <th scope="col" className={table.number}>
              {t("standing.uses")}
            </th>
            <th scope="col" className={table.number}>
              {t("standing.expires")}
            </th>
            <th scope="col">{t("standing.by")}</th>
            <th scope="col">
              <span className="visually-hidden">{t("standing.revoke")}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ row, gone }) => (
            <Line key={row.id} row={row} gone={gone} />
          ))}
        </tbody>
      </table>
      <Behind count={behind} onLetIn={letIn} />
    </div>
  );
}

function Line({ row, gone }: { row: StandingApprovalRow; gone: boolean }) {
  const revoke = useOperation("revoke_standing_approval");
  const refusal = useCommandRefusal();
  const left = useLive(({ time }) =>
    time.now_ms === null ? "" : formatAge(Math.max(0, Math.ceil((row.expires_mono_ms - time.now_ms) / 1_000)) * 1_000),
  );
  return (
    // One that has ended stays in its place under the hand, and must not be pressed.
    <tr data-testid={`standing-${row.id}`} inert={gone}>
      <th scope="row">
        {row.robot} <span className={table.muted}>{row.envelope.actuator}</span>
      </th>
      <td className={`${table.wrap} ${set.bounds}`}>
        {boundsOf(row).map((bound) => (
          <span key={bound} className={set.bound}>
            {bound}
          </span>
        ))}
      </td>
      <td className={table.number}>{t("standing.used", { used: row.used, count: row.count })}</td>
      <td className={table.number}>{t("standing.expires_in", { left })}</td>
      <td>{row.granted_by}</td>
      <td>
        <Button
          data-testid={`revoke-${row.id}`}
          aria-label={t("standing.revoke_name", { robot: row.robot, actuator: row.envelope.actuator })}
          disabled={refusal !== null || revoke.pending}
          title={refusal ?? undefined}
          onClick={() => revoke.run({ id: row.id })}
        >
          {revoke.pending ? t("hold.sending") : t("standing.revoke")}
        </Button>
        <Refusal error={revoke.error} />
      </td>
    </tr>
  );
}

function boundsOf({ envelope, mission }: StandingApprovalRow): string[] {
  const spans = Object.entries(envelope.workspace).map(([axis, [min, max]]) =>
    t("bounds.span", { axis, min: exactText(min), max: exactText(max) }),
  );
  return [
    ...spans,
    ...(envelope.frame === undefined ? [] : [t("standing.in_frame", { frame: envelope.frame })]),
    t("standing.speed", { value: exactText(envelope.speed_mps_max) }),
    ...(envelope.force_n_max === undefined ? [] : [t("standing.force", { value: exactText(envelope.force_n_max) })]),
    ...(mission === null ? [] : [t("standing.for_mission", { mission })]),
  ];
}
