import { Button } from "../../shared/components/Button";
import { Panel } from "../../shared/components/Panel";
import { Refusal } from "../../shared/components/Refusal";
import { Rows } from "../../shared/components/Rows";
import { useAdminRefusal } from "../../shared/hooks/useAdminRefusal";
import { useOperation } from "../../shared/hooks/useOperation";
import { useRows } from "../../shared/hooks/useRows";
import { t } from "../../shared/i18n";
import styles from "./Admin.module.css";

/** Whether the agent has the investigation sandbox; where its cell would not hold, why it has none. */
export function SandboxSwitch({ agent }: { agent: string }) {
  const status = useRows("tools", "get_sandbox", {});
  const set = useOperation("set_sandbox");
  const refusal = useAdminRefusal();
  return (
    <Panel title={t("sandbox.title", { agent })}>
      <Rows query={status} what={t("sandbox.title", { agent })}>
        {({ rows: { on, problem } }) => (
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
            {problem !== null && <p className={`${styles.hint} ${styles.wide}`}>{t("sandbox.problem", { problem })}</p>}
            {refusal !== null && <span className={styles.hint}>{refusal}</span>}
            <Refusal error={set.error} />
          </div>
        )}
      </Rows>
    </Panel>
  );
}
