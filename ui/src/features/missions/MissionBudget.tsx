import { useState } from "react";
import type { BudgetRow } from "../../generated/bindings/BudgetRow";
import { Button } from "../../design/components/Button";
import { Refusal } from "../../design/components/Refusal";
import { parseDecimal } from "../../design/fields/decimal";
import { NumberField } from "../../design/fields/NumberField";
import { formatUsd } from "../../design/format/money";
import { useCommandRefusal } from "../../domain/station/useCommandRefusal";
import { useOperation } from "../../domain/station/useOperation";
import { t } from "../../locales/i18n";
import styles from "./Missions.module.css";

/** Money that a mission has spent on models, and a form that adds to its budget. Only a person adds (K-03, K-04). */
export function MissionBudget({ id, budget }: { id: string; budget: BudgetRow }) {
  const [text, setText] = useState("1");
  const add = useOperation("add_budget");
  const refusal = useCommandRefusal();
  const decimal = parseDecimal(text);
  const usd = "value" in decimal && decimal.value > 0 ? decimal.value : null;
  const { spent_microusd, limit_microusd, unknown_calls } = budget;
  return (
    <form
      // The browser's own check speaks its own language and takes no decimal comma.
      noValidate
      className={styles.acts}
      aria-label={t("missions.budget")}
      onSubmit={(event) => {
        event.preventDefault();
        if (usd !== null && refusal === null) add.run({ meter: "mission", mission_id: id, usd });
      }}
    >
      <p className={styles.wide} data-testid="mission-budget">
        {t("missions.budget")}: <strong>{formatUsd(spent_microusd)}</strong>{" "}
        {limit_microusd === null ? t("ledger.no_limit") : t("ledger.of", { limit: formatUsd(limit_microusd) })}
        {unknown_calls > 0 && (
          <span className={styles.hint}> {t("agent.unknown_calls", { count: unknown_calls })}</span>
        )}
      </p>
      <NumberField
        field={{ label: t("paused.more"), unit: "$", step: 0.5 }}
        text={text}
        problem={usd === null ? t("paused.problem") : null}
        onText={(next) => {
          setText(next);
          add.forget();
        }}
      />
      <Button type="submit" data-testid="mission-budget-add" disabled={usd === null || refusal !== null || add.pending}>
        {add.pending ? t("hold.sending") : t("missions.budget_add")}
      </Button>
      <span className={styles.hint}>{refusal ?? t("missions.budget_means")}</span>
      <div className={styles.wide}>
        <Refusal error={add.error} />
      </div>
    </form>
  );
}
