import type { LocalServerRow } from "../../generated/bindings/LocalServerRow";
import { Button } from "../../design/components/Button";
import { Panel } from "../../design/layout/Panel";
import { Refusal } from "../../design/components/Refusal";
import { Rows } from "../../design/components/Rows";
import table from "../../design/components/table.module.css";
import { useAdminRefusal } from "../../domain/station/useAdminRefusal";
import { useOperation } from "../../domain/station/useOperation";
import { useRows } from "../../domain/station/useRows";
import { t } from "../../locales/i18n";
import styles from "./Admin.module.css";
import { kindName } from "./kinds";
import { freeName } from "./provider-draft";

/** Model servers that answer on this computer; each becomes a provider with one press. */
export function LocalServers() {
  const found = useRows("providers", "detect_local_servers", {});
  return (
    <Panel
      title={t("local_servers.title")}
      aside={
        <Button look="quiet" data-testid="detect" disabled={found.isFetching} onClick={() => void found.refetch()}>
          {found.isFetching ? t("local_servers.looking") : t("local_servers.look")}
        </Button>
      }
    >
      <Rows query={found} what={t("local_servers.title")}>
        {({ rows }) =>
          rows.length === 0 ? (
            <p className={`${styles.line} ${styles.hint}`}>{t("local_servers.none")}</p>
          ) : (
            <div className={table.scroll}>
              <table className={table.table} data-testid="local-servers">
                <tbody>
                  {rows.map((server) => (
                    <Found key={server.base} server={server} />
                  ))}
                </tbody>
              </table>
            </div>
          )
        }
      </Rows>
    </Panel>
  );
}

function Found({ server: { kind, base, models, window, provider } }: { server: LocalServerRow }) {
  const add = useOperation("set_provider");
  const refusal = useAdminRefusal();
  const taken = useRows("providers", "list_providers", {}).data?.rows.map((row) => row.id);
  const use = () => {
    if (taken !== undefined) add.run({ id: freeName(kind, taken), kind, base, ...(window === null ? {} : { window }) });
  };
  return (
    <tr>
      <th scope="row">{kindName(kind)}</th>
      <td className={table.key}>{base}</td>
      <td className={table.wrap}>{models.length === 0 ? t("local_servers.no_model") : models.join(", ")}</td>
      <td>
        <div className={styles.acts}>
          {provider === null ? (
            <Button
              // Until the names that are taken are known, a free one cannot be chosen.
              data-testid={`use-${freeName(kind, [])}`}
              title={refusal ?? undefined}
              disabled={refusal !== null || taken === undefined || add.pending}
              onClick={use}
            >
              {add.pending ? t("hold.sending") : t("local_servers.use")}
            </Button>
          ) : (
            <span className={table.muted}>{t("local_servers.is", { provider })}</span>
          )}
          <Refusal error={add.error} />
        </div>
      </td>
    </tr>
  );
}
