import { useState } from "react";
import type { BudgetRow } from "../../generated/bindings/BudgetRow";
import { Button } from "../../design/components/Button";
import { Panel } from "../../design/layout/Panel";
import { Refusal } from "../../design/components/Refusal";
import { parseDecimal } from "../../design/fields/decimal";
import { NumberField } from "../../design/fields/NumberField";
import { formatUsd } from "../../design/format/money";
import { useCommandRefusal } from "../../domain/station/useCommandRefusal";
import { useOperation } from "../../domain/station/useOperation";
import { t } from "../../locales/i18n";
import styles from "./Admin.module.css";

/** Cost of today against its limit, and a form that adds to the limit. Only a person adds (K-04). */
export function AddBudget({ day }: { day: BudgetRow }) {
  const [text, setText] = useState("1");
  const add = useOperation("add_budget");
  const refusal = useCommandRefusal();
  const decimal = parseDecimal(text);
  const usd = "value" in decimal && decimal.value > 0 ? decimal.value : null;
  const spent = formatUsd(day.spent_microusd);
  return (
    <Panel title={t("ledger.today")}>
      <p className={styles.line} data-testid="budget-day">
        <span>
          <strong>{spent}</strong>{" "}
          {day.limit_microusd === null
            ? t("ledger.no_limit")
            : t("ledger.of", { limit: formatUsd(day.limit_microusd) })}
        </span>
        {day.unknown_calls > 0 && (
          <span className={styles.hint}>{t("agent.unknown_calls", { count: day.unknown_calls })}</span>
        )}
      </p>
      <form
        noValidate
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (usd !== null && refusal === null) add.run({ meter: "day", usd });
        }}
      >
        <NumberField
          field={{ label: t("paused.more"), unit: "$", step: 0.5 }}
          text={text}
          problem={usd === null ? t("paused.problem") : null}
          onText={(next) => {
            setText(next);
            add.forget();
          }}
        />
        <Button type="submit" data-testid="budget-add" disabled={usd === null || refusal !== null || add.pending}>
          {add.pending ? t("hold.sending") : t("ledger.add")}
        </Button>
        <span className={styles.hint}>{refusal ?? t("ledger.add_means")}</span>
        <div className={styles.wide}>
          <Refusal error={add.error} />
        </div>
      </form>
    </Panel>
  );
}
