import { Button } from "../../design/components/Button";
import { Panel } from "../../design/layout/Panel";
import { Refusal } from "../../design/components/Refusal";
import { Rows } from "../../design/components/Rows";
import { useAdminRefusal } from "../../domain/station/useAdminRefusal";
import { sandboxFaultText } from "../../domain/station/tool-faults";
import { useOperation } from "../../domain/station/useOperation";
import { useRows } from "../../domain/station/useRows";
import { t } from "../../locales/i18n";
import styles from "./Admin.module.css";

/** Switch of the agent's investigation sandbox; where its cell would not hold, the reason for its absence. */
export function SandboxSwitch({ agent }: { agent: string }) {
  const status = useRows("tools", "get_sandbox", {});
  const set = useOperation("set_sandbox");
  const refusal = useAdminRefusal();
  return (
    <Panel title={t("sandbox.title", { agent })}>
      <Rows query={status} what={t("sandbox.title", { agent })}>
        {({ rows: { on, problem, ...rest } }) => (
          <div className={styles.line} data-testid="sandbox" data-on={on}>
            <span>
              <strong>{t(on ? "sandbox.on" : "sandbox.off")}</strong> {t("sandbox.means")}
            </span>
            <Button
              data-testid="sandbox-switch"
              title={refusal ?? undefined}
              disabled={refusal !== null || set.pending || (!on && problem !== null)}
              onClick={() => set.run({ on: !on })}
            >
              {set.pending ? t("hold.sending") : t(on ? "sandbox.take" : "sandbox.give")}
            </Button>
            {problem !== null && (
              <p className={`${styles.hint} ${styles.wide}`}>
                {t("sandbox.problem", { problem: sandboxFaultText({ problem, ...rest }) ?? problem })}
              </p>
            )}
            {refusal !== null && <span className={styles.hint}>{refusal}</span>}
            <Refusal error={set.error} />
          </div>
        )}
      </Rows>
    </Panel>
  );
}
