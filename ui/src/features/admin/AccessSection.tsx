import type { TokenRow } from "../../generated/bindings/TokenRow";
import { Chip } from "../../design/components/Chip";
import { Notice } from "../../design/components/Notice";
import { Panel } from "../../design/layout/Panel";
import { Rows } from "../../design/components/Rows";
import table from "../../design/components/table.module.css";
import { formatMoment } from "../../design/format/time";
import { useAdminRefusal } from "../../domain/station/useAdminRefusal";
import { useOperation } from "../../domain/station/useOperation";
import { useRows } from "../../domain/station/useRows";
import { t } from "../../locales/i18n";
import { AdminPinForm } from "./AdminPinForm";
import { ConfirmedAct } from "./ConfirmedAct";
import { TokenForm } from "./TokenForm";

/** The PIN of Admins, and the tokens that sign people and programs in. */
export function AccessSection() {
  const refusal = useAdminRefusal();
  const tokens = useRows("access", "list_tokens", {}, refusal === null);
  return (
    <>
      <AdminPinForm />
      <TokenForm />
      <Panel title={t("access.tokens")} aside={refusal}>
        {refusal === null && (
          <Rows query={tokens} what={t("access.tokens")}>
            {({ rows }) =>
              rows.length === 0 ? (
                <Notice title={t("access.none")} detail={t("access.none_detail")} />
              ) : (
                <TokenTable rows={rows} />
              )
            }
          </Rows>
        )}
      </Panel>
    </>
  );
}

function TokenTable({ rows }: { rows: readonly TokenRow[] }) {
  return (
    <div className={table.scroll}>
      <table className={table.table} data-testid="tokens">
        <thead>
          <tr>
            <th scope="col">{t("access.holder")}</th>
            <th scope="col">{t("access.kind")}</th>
            <th scope="col">{t("access.may")}</th>
            <th scope="col">{t("access.made")}</th>
            <th scope="col">{t("access.expires")}</th>
            <th scope="col">{t("access.used")}</th>
            <th scope="col">
              <span className="visually-hidden">{t("access.acts")}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Line key={row.id} row={row} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Line({ row }: { row: TokenRow }) {
  const { id, label, kind, role, only_stops, made_by, made_ms, expires_ms, expired, used_ms } = row;
  return (
    <tr data-testid={`token-${id}`}>
      <th scope="row" className={table.wrap}>
        {label}
      </th>
      <td>{t(`session_kind.${kind}`)}</td>
      <td>{only_stops ? t("token_may.stop") : t(`token_may.${role}`)}</td>
      <td className={table.wrap}>{t("access.made_by", { moment: formatMoment(made_ms), by: made_by })}</td>
      <td>{expired ? <Chip>{t("access.expired")}</Chip> : formatMoment(expires_ms)}</td>
      <td>{used_ms === null ? <span className={table.muted}>{t("access.unused")}</span> : formatMoment(used_ms)}</td>
      <td>
        <Revoke id={id} label={label} />
      </td>
    </tr>
  );
}

function Revoke({ id, label }: { id: string; label: string }) {
  const revoke = useOperation("revoke_token");
  return (
    <ConfirmedAct
      kind="token-revoke"
      id={id}
      text={t("access.revoke")}
      label={t("access.revoke_of", { label })}
      doText={t("access.do_revoke")}
      call={revoke}
      onAct={() => revoke.run({ id })}
    />
  );
}
