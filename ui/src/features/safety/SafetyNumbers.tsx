import type { SafetySetting } from "../../generated/bindings/SafetySetting";
import { Panel } from "../../design/layout/Panel";
import { Rows } from "../../design/components/Rows";
import table from "../../design/components/table.module.css";
import { exactText } from "../../design/fields/decimal";
import { useRows } from "../../domain/station/useRows";
import { t } from "../../locales/i18n";
import { stationText } from "../../locales/station-words";

/**
 * The safety engine's numbers in this run, each with its range. They are chosen in `config.toml` and read at the start.
 */
export function SafetyNumbers() {
  const settings = useRows("safety", "get_safety_settings", {});
  return (
    <Panel title={t("safety_numbers.title")} aside={t("safety_numbers.where")}>
      <Rows query={settings} what={t("safety_numbers.title")}>
        {({ rows }) => (
          <div className={table.scroll}>
            <table className={table.table} data-testid="safety-numbers">
              <thead>
                <tr>
                  <th scope="col">{t("safety_numbers.key")}</th>
                  <th scope="col" className={table.number}>
                    {t("safety_numbers.value")}
                  </th>
                  <th scope="col" className={table.number}>
                    {t("safety_numbers.range")}
                  </th>
                  <th scope="col">{t("safety_numbers.meaning")}</th>
                </tr>
              </thead>
              <tbody>
                {rows.map((setting) => (
                  <Line key={setting.key} setting={setting} />
                ))}
              </tbody>
            </table>
          </div>
        )}
      </Rows>
    </Panel>
  );
}

function Line({ setting }: { setting: SafetySetting }) {
  const chosen = setting.value !== setting.default;
  return (
    <tr data-testid={`safety-number-${setting.key}`}>
      <th scope="row" className={table.key}>
        {setting.key}
      </th>
      <td className={table.number}>
        {exactText(setting.value)}
        {chosen && (
          <small className={table.muted}>
            {" "}
            {t("safety_numbers.instead_of", { value: exactText(setting.default) })}
          </small>
        )}
      </td>
      <td className={table.number}>
        {exactText(setting.min)} … {exactText(setting.max)}
      </td>
      <td className={table.wrap}>{stationText("safety_number", setting.key) ?? setting.meaning}</td>
    </tr>
  );
}
