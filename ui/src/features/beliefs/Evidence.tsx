import { Link } from "wouter";
import type { BeliefEvidence } from "../../generated/bindings/BeliefEvidence";
import { Panel } from "../../design/layout/Panel";
import { formatNumber, NO_NUMBER } from "../../design/format/numbers";
import { scalarText } from "../../design/format/scalar";
import { formatMoment } from "../../design/format/time";
import { t } from "../../locales/i18n";
import styles from "./BeliefDetail.module.css";
import type { Mark } from "./belief-marks";
import { markName } from "./belief-words";

/** Evidence behind a mark, as it was stored. */
export function Evidence({ mark }: { mark: Mark | null }) {
  if (mark === null) {
    return (
      <Panel title={t("evidence.title")}>
        <p className={styles.left}>{t("evidence.choose")}</p>
      </Panel>
    );
  }
  const { row } = mark;
  return (
    <Panel title={t("evidence.of", { mark: markName(mark), when: formatMoment(mark.at * 1_000) })}>
      <dl className={styles.facts}>
        {row === null ? (
          <Line name={t("evidence.what")} value={t("evidence.challenge")} />
        ) : (
          <>
            <Line name={t("beliefs.value")} value={row.value} />
            <Line
              name={t("evidence.change")}
              value={`${row.confidence_before === null ? NO_NUMBER : formatNumber(row.confidence_before, 2)} → ${formatNumber(row.confidence_after, 2)}`}
            />
            <Line name={t("evidence.by")} value={row.by} />
            {row.evidence === null ? (
              <Line name={t("evidence.rests_on")} value={t("evidence.none")} />
            ) : (
              <Stored evidence={row.evidence} />
            )}
          </>
        )}
      </dl>
    </Panel>
  );
}

/** The fields that were stored; they stay when the sample is gone. */
function Stored({ evidence }: { evidence: BeliefEvidence }) {
  if ("key" in evidence) {
    return (
      <>
        <div>
          <dt>{t("evidence.key")}</dt>
          <dd>
            <Link href={`/world/key/${evidence.key}`}>{evidence.key}</Link>
          </dd>
        </div>
        <Line name={t("evidence.seen")} value={scalarText(evidence.value, null)} />
        <Line name={t("beliefs.confidence")} value={formatNumber(evidence.confidence, 2)} />
        <Line name={t("evidence.observed")} value={formatMoment(evidence.observed_ms)} />
        <Line name={t("evidence.received")} value={formatMoment(evidence.received_ms)} />
        <Line name={t("evidence.source")} value={evidence.source} />
        <Line name={t("evidence.provider")} value={evidence.provider} />
      </>
    );
  }
  if ("session" in evidence)
    return (
      <Line
        name={t("evidence.rests_on")}
        value={t("evidence.call", { session: evidence.session, entry: evidence.entry })}
      />
    );
  if ("operator" in evidence) {
    return (
      <>
        <Line name={t("evidence.rests_on")} value={t("evidence.operator", { operator: evidence.operator })} />
        {evidence.pinned_until !== undefined && (
          <Line name={t("beliefs.pinned_until")} value={formatMoment(evidence.pinned_until * 1_000)} />
        )}
      </>
    );
  }
  return <Line name={t("evidence.rests_on")} value={t("evidence.program", { program: evidence.program })} />;
}

function Line({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
