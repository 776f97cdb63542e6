import { useState } from "react";
import { useLocation } from "wouter";
import type { AlertRegistered } from "../../generated/bindings/AlertRegistered";
import type { AlertRow } from "../../generated/bindings/AlertRow";
import { Button } from "../../design/components/Button";
import { Notice } from "../../design/components/Notice";
import { Panel } from "../../design/layout/Panel";
import { Rows } from "../../design/components/Rows";
import { useAdminRefusal } from "../../domain/station/useAdminRefusal";
import { useRows } from "../../domain/station/useRows";
import { warningText } from "../../domain/world/warning-text";
import { t } from "../../locales/i18n";
import { rulePath } from "./alarm-place";
import { RuleForm } from "./RuleForm";
import styles from "./Rules.module.css";
import { RuleTable } from "./RuleTable";

/** The rules that watch the world state; `rule` is the one that is edited, or `new`. */
export function Rules({ rule, onKey }: { rule: string | null; onKey: string | null }) {
  const rules = useRows("alerts", "list_alerts", {});
  const refusal = useAdminRefusal();
  const [, navigate] = useLocation();
  const [answer, setAnswer] = useState<AlertRegistered | null>(null);
  const add = (
    <Button
      data-testid="rule-new"
      disabled={refusal !== null}
      title={refusal ?? undefined}
      onClick={() => navigate(rulePath("new"))}
    >
      {t("rules.new")}
    </Button>
  );
  return (
    <div className={styles.rules}>
      {rule !== null && (rule === "new" || rules.isSuccess) && (
        <RulePart
          key={`${rule} ${onKey ?? ""}`}
          rule={rule}
          rows={rules.data?.rows ?? []}
          onKey={onKey}
          onClose={() => navigate("/alarms/rules")}
          onDone={(told) => {
            setAnswer(told);
            navigate("/alarms/rules");
          }}
        />
      )}
      <Panel title={t("rules.title")} aside={add}>
        <Rows query={rules} what={t("rules.title")}>
          {({ rows, asked_ms }) =>
            rows.length === 0 ? (
              <Notice title={t("rules.empty")} detail={t("rules.empty_detail")} />
            ) : (
              <RuleTable rows={rows} asked_ms={asked_ms} edited={rule} onEdit={(id) => navigate(rulePath(id))} />
            )
          }
        </Rows>
        <Told answer={answer} />
      </Panel>
    </div>
  );
}

type RulePartProps = {
  rule: string;
  rows: readonly AlertRow[];
  onKey: string | null;
  onClose: () => void;
  onDone: (answer: AlertRegistered) => void;
};

/** The form of a rule as it was when it was opened, or a word that there is no such rule. */
function RulePart({ rule, rows, onKey, onClose, onDone }: RulePartProps) {
  const found = rows.find(({ id }) => id === rule) ?? null;
  const [opened, setOpened] = useState(found);
  // An edit stays one while others remove its rule: as a form of a new rule it would bring the rule back.
  const row = opened ?? found;
  if (opened !== row) setOpened(row);
  if (row !== null || rule === "new") return <RuleForm row={row} onKey={onKey} onClose={onClose} onDone={onDone} />;
  return (
    <Notice title={t("rules.gone")}>
      <Button onClick={onClose}>{t("common.close")}</Button>
    </Notice>
  );
}

/** The station's answer, with its warnings. */
function Told({ answer }: { answer: AlertRegistered | null }) {
  return (
    <div className={styles.told} role="status">
      {answer && (
        <>
          <p>
            {t("rules.watches")} <code>{answer.predicate}</code>
          </p>
          {answer.warnings.map((warning) => (
            <p key={`${warning.code} ${warning.key ?? ""}`}>
              <strong>{t("rules.note")}</strong> {warningText(warning)}{" "}
              {warning.key !== undefined && <code>{warning.key}</code>}
            </p>
          ))}
        </>
      )}
    </div>
  );
}
