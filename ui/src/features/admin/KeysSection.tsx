import type { SecretRow } from "../../generated/bindings/SecretRow";
import { Notice } from "../../design/components/Notice";
import { Panel } from "../../design/layout/Panel";
import { Rows } from "../../design/components/Rows";
import table from "../../design/components/table.module.css";
import { formatMoment } from "../../design/format/time";
import { useAdminRefusal } from "../../domain/station/useAdminRefusal";
import { useOperation } from "../../domain/station/useOperation";
import { useRows } from "../../domain/station/useRows";
import { t } from "../../locales/i18n";
import styles from "./Admin.module.css";
import { ConfirmedAct } from "./ConfirmedAct";
import { KeyForm } from "./KeyForm";
import { TestProvider } from "./TestProvider";

/** Keys of providers: they go in, and only their last four characters come out (U-1701). */
export function KeysSection() {
  const refusal = useAdminRefusal();
  const keys = useRows("providers", "list_secrets", {}, refusal === null);
  return (
    <>
      <KeyForm />
      <Panel title={t("keys.title")} aside={refusal}>
        {refusal === null && (
          <Rows query={keys} what={t("keys.title")}>
            {({ rows }) =>
              rows.length === 0 ? (
                <Notice title={t("keys.none")} detail={t("keys.none_detail")} />
              ) : (
                <KeyTable rows={rows} />
              )
            }
          </Rows>
        )}
      </Panel>
    </>
  );
}

function KeyTable({ rows }: { rows: readonly SecretRow[] }) {
  return (
    <div className={table.scroll}>
      <table className={table.table} data-testid="keys">
        <thead>
          <tr>
            <th scope="col">{t("keys.name")}</th>
            <th scope="col">{t("keys.ends")}</th>
            <th scope="col">{t("keys.kept")}</th>
            <th scope="col">{t("keys.set")}</th>
            <th scope="col">{t("keys.used")}</th>
            <th scope="col">
              <span className="visually-hidden">{t("keys.acts")}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Line key={row.name} row={row} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Line({ row: { name, last4, set_at, kept } }: { row: SecretRow }) {
  const providers = useRows("providers", "list_providers", {});
  const used = (providers.data?.rows ?? []).filter(({ key }) => key === name);
  return (
    <tr data-testid={`key-${name}`}>
      <th scope="row">{name}</th>
      <td className={table.key}>{last4 === "" ? t("keys.too_short") : `…${last4}`}</td>
      <td>{t(`key_kept.${kept}`)}</td>
      <td>{set_at === null ? t("keys.unknown_time") : formatMoment(set_at)}</td>
      <td className={table.wrap}>
        {used.length === 0 ? (
          <span className={table.muted}>{t("model_provider.nobody")}</span>
        ) : (
          // An outcome is about the key that was tested, not about the one that replaced it.
          used.map(({ id }) => <UsedBy key={`${id} ${set_at}`} provider={id} />)
        )}
      </td>
      <td>{kept !== "environment" && <RemoveKey name={name} />}</td>
    </tr>
  );
}

function UsedBy({ provider }: { provider: string }) {
  return (
    <span className={styles.used}>
      {provider} <TestProvider provider={provider} />
    </span>
  );
}

function RemoveKey({ name }: { name: string }) {
  const remove = useOperation("delete_secret");
  return (
    <ConfirmedAct
      kind="key-remove"
      id={name}
      text={t("rules.remove")}
      label={t("keys.remove_name", { name })}
      doText={t("keys.do_remove")}
      call={remove}
      onAct={() => remove.run({ name })}
    />
  );
}
