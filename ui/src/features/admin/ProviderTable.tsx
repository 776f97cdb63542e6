import type { ProviderRow } from "../../generated/bindings/ProviderRow";
import table from "../../design/components/table.module.css";
import { RowActs } from "../../domain/station/RowActs";
import { useOperation } from "../../domain/station/useOperation";
import { t } from "../../locales/i18n";
import styles from "./Admin.module.css";
import { kindName } from "./kinds";
import { draftOf } from "./provider-draft";
import { TestProvider } from "./TestProvider";

/** Every provider: where it is, with which key, for whom, and whether it answers. */
export function ProviderTable({
  providers,
  onEdit,
}: {
  providers: readonly ProviderRow[];
  onEdit: (provider: ProviderRow) => void;
}) {
  return (
    <div className={table.scroll}>
      <table className={table.table} data-testid="model-providers">
        <thead>
          <tr>
            <th scope="col">{t("model_provider.name")}</th>
            <th scope="col">{t("model_provider.key")}</th>
            <th scope="col">{t("model_provider.used_by")}</th>
            <th scope="col">{t("model_provider.test")}</th>
            <th scope="col">
              <span className="visually-hidden">{t("model_provider.acts")}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {providers.map((provider) => (
            <Line key={provider.id} provider={provider} onEdit={() => onEdit(provider)} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Line({ provider, onEdit }: { provider: ProviderRow; onEdit: () => void }) {
  const { id, kind, base, local, agents } = provider;
  const remove = useOperation("remove_provider");
  return (
    <tr data-testid={`model-provider-${id}`}>
      <th scope="row" className={table.wrap}>
        <strong>{id}</strong> <span className={table.muted}>{kindName(kind)}</span>
        <code className={styles.address}>
          {base}
          {local && ` · ${t("model_provider.local")}`}
        </code>
      </th>
      <td>{keyText(provider)}</td>
      <td className={agents.length === 0 ? table.muted : undefined}>
        {agents.length === 0 ? t("model_provider.nobody") : agents.join(", ")}
      </td>
      <td className={table.wrap}>
        {/* An outcome is about the address and the key that were tested. */}
        <TestProvider key={JSON.stringify(draftOf(provider))} provider={id} />
      </td>
      <td>
        <RowActs
          kind="model-provider"
          id={id}
          edit={t("model_provider.edit", { id })}
          remove={t("model_provider.remove", { id })}
          doRemove={t("model_provider.do_remove")}
          removal={remove}
          onEdit={onEdit}
          onRemove={(onDone) => remove.run({ provider: id }, onDone)}
        />
      </td>
    </tr>
  );
}

function keyText({ key, key_is_set }: ProviderRow): string {
  if (key === null) return t("model_provider.no_key");
  return key_is_set ? key : t("model_provider.key_missing", { key });
}
