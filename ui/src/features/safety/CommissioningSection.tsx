import { Link } from "wouter";
import { Panel } from "../../design/layout/Panel";
import { useRows } from "../../domain/station/useRows";
import { t } from "../../locales/i18n";
import { acceptanceWords } from "./commissioning/acceptance";
import { timeoutWords } from "./commissioning/base-timeout";
import styles from "./sections.module.css";

/** The commissioning of a robot behind quarterdeck-gate in a sentence, and the way to its page; nothing for other gates. */
export function CommissioningSection({ robot }: { robot: string }) {
  const query = useRows("safety", "get_commissioning", { robot });
  const gate = query.data?.rows.gate ?? null;
  if (gate === null) return null;
  const { missing, base_timeout, keeps_moving, accepted } = gate.commissioning;
  return (
    <Panel
      title={t("commissioning.title", { robot })}
      aside={
        <Link href={`/safety/${robot}/commissioning`} data-testid="open-commissioning">
          {t("commissioning.open")}
        </Link>
      }
    >
      <p className={styles.line}>
        {missing === null
          ? t("commissioning.complete")
          : t("commissioning.missing", { step: t(`commissioning_step.${missing}`) })}
      </p>
      {keeps_moving && base_timeout !== "not_measured" && <p className={styles.line}>{timeoutWords(base_timeout)}</p>}
      {accepted !== null && <p className={styles.line}>{acceptanceWords(accepted)}</p>}
      {gate.placement === "beside" && <p className={styles.line}>{t(`gate_placement.${gate.placement}`)}</p>}
    </Panel>
  );
}
