import { Link, useLocation } from "wouter";
import type { AlertRow } from "../../generated/bindings/AlertRow";
import type { WorldExplained } from "../../generated/bindings/WorldExplained";
import { Button } from "../../design/components/Button";
import { Panel } from "../../design/layout/Panel";
import { Rows } from "../../design/components/Rows";
import { Aged } from "../../design/components/Aged";
import { formatNumber } from "../../design/format/numbers";
import { scalarText } from "../../design/format/scalar";
import { useAdminRefusal } from "../../domain/station/useAdminRefusal";
import { type Stamped, useRows } from "../../domain/station/useRows";
import { t } from "../../locales/i18n";
import { Claims } from "./Claims";
import styles from "./EntryPanel.module.css";
import { EntryHistory } from "./EntryHistory";
import { RawSample } from "./RawSample";
import { useWorldReading } from "./useWorldReading";
import { providerPath } from "./world-place";

const FLAGS = ["contested", "late", "restored", "untrusted_ts", "paused", "cut", "cleaned"] as const;

/** Explanation of an entry: its history, every source's claim, the sample it was taken from, and the rules on it. */
export function EntryPanel({ entry }: { entry: string }) {
  const explained = useRows("world", "explain_world_entry", { key: entry });
  const [, navigate] = useLocation();
  const refusal = useAdminRefusal();
  return (
    <Panel
      title={t("entry.title")}
      aside={
        <>
          <Button
            look="quiet"
            data-testid="entry-alert"
            disabled={refusal !== null}
            title={refusal ?? undefined}
            onClick={() => navigate(`/alarms/rules/new/${entry}`)}
          >
            {t("entry.alert")}
          </Button>
          <Button look="quiet" data-testid="entry-close" onClick={() => navigate("/world")}>
            {t("common.close")}
          </Button>
        </>
      }
    >
      <div className={styles.entry} data-testid="entry">
        <Rows query={explained} what={entry}>
          {(answer) => <Explained answer={answer} />}
        </Rows>
      </div>
    </Panel>
  );
}

function Explained({ answer: { rows: explained, asked_ms } }: { answer: Stamped<WorldExplained> }) {
  const { entry: row, context, sample, rules } = explained;
  const alerts = useRows("alerts", "list_alerts", {});
  const provider = context?.config ?? null;
  const reading = useWorldReading(row, asked_ms);
  return (
    <>
      <p className={styles.head}>
        <code className={styles.key}>{row.key}</code>
        <span className={styles.value}>
          <Aged state={reading.state} age={reading.age} age_ms={reading.age_ms} origin={row.origin} showAge>
            <span className={styles.text}>{scalarText(reading.value, row.unit)}</span>
          </Aged>
        </span>
        <span>
          {reading.confidence === null
            ? t("entry.confidence_unknown")
            : t("entry.confidence", { value: formatNumber(reading.confidence, 2) })}
        </span>
      </p>
      <Flagged flags={row.flags} age_basis={row.age_basis} />
      <EntryHistory row={row} />
      <Claims entry={row} claims={explained.claims} asked_ms={asked_ms} />
      <section className={styles.part}>
        <h3>{t("entry.provider")}</h3>
        {provider === null ? (
          <p className={styles.muted}>{t("entry.provider_gone", { provider: row.provider })}</p>
        ) : (
          <p>
            {t("entry.made_of")} <code>{provider.topic_pattern}</code> →{" "}
            <code>{provider.world_state_key_template}</code> = <code>{provider.value_field}</code>
            {provider.filter !== undefined && (
              <>
                {" "}
                {t("entry.where")} <code>{provider.filter}</code>
              </>
            )}{" "}
            <Link href={providerPath(row.provider)}>{t("entry.open_provider")}</Link>
          </p>
        )}
      </section>
      <RawSample sample={sample} provider={provider} />
      <section className={styles.part}>
        <h3>{t("entry.rules")}</h3>
        {rules.length === 0 && <p className={styles.muted}>{t("entry.no_rules")}</p>}
        <ul>
          {rules.map((id) => (
            <WatchingRule key={id} id={id} rule={alerts.data?.rows.find((row) => row.id === id)} />
          ))}
        </ul>
      </section>
    </>
  );
}

/** A rule on the entry: its id alone until the list of rules is here, which may be later or fail. */
function WatchingRule({ id, rule }: { id: string; rule: AlertRow | undefined }) {
  return (
    <li>
      <Link href={`/alarms/rules/${id}`}>
        <code>{rule?.predicate ?? id}</code>
      </Link>{" "}
      {rule && t(`rule_state.${rule.state}`)}
    </li>
  );
}

/** Anomalies of a value, human-readable. */
function Flagged({ flags, age_basis }: Pick<WorldExplained["entry"], "flags" | "age_basis">) {
  const odd = FLAGS.filter((flag) => flags[flag]).map((flag) => t(`entry_flag.${flag}`));
  const notes = age_basis === "received" ? [...odd, t("entry.since_received")] : odd;
  if (notes.length === 0) return null;
  return (
    <ul>
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  );
}
