import { type ReactNode, useRef } from "react";
import { Link } from "wouter";
import type { AlarmRow } from "../../generated/bindings/AlarmRow";
import { alarmDetail, alarmResponse, alarmTitle } from "../../domain/alarm/alarm-title";
import { AlarmMark } from "../../domain/alarm/AlarmMark";
import { Button } from "../../design/components/Button";
import { Panel } from "../../design/layout/Panel";
import { formatMoment } from "../../design/format/time";
import { t } from "../../locales/i18n";
import { AlarmActs, type OpenAct } from "./AlarmActs";
import styles from "./AlarmDetail.module.css";
import { AlarmRelated } from "./AlarmRelated";
import { AlarmTrend } from "./AlarmTrend";
import { rulePath } from "./alarm-place";
import { spanText, stateText } from "./alarm-words";

type AlarmDetailProps = {
  alarm: AlarmRow;
  act: OpenAct | null;
  onAct: (act: OpenAct | null) => void;
  onClose: () => void;
};

/** One alarm in full: what it means, what to do about it and how long there is for that. */
export function AlarmDetail({ alarm, act, onAct, onClose }: AlarmDetailProps) {
  const heading = useRef<HTMLDivElement>(null);
  const detail = alarmDetail(alarm);
  return (
    <Panel
      title={t("alarms.detail")}
      aside={
        <Button look="quiet" data-testid="alarm-close" onClick={onClose}>
          {t("common.close")}
        </Button>
      }
    >
      <div ref={heading} tabIndex={-1} className={styles.detail} data-testid="alarm-detail">
        <p className={styles.title}>
          <AlarmMark alarm={alarm} />
          <strong>{alarmTitle(alarm)}</strong>
          <span>{stateText(alarm)}</span>
        </p>
        <dl className={styles.facts}>
          <Fact name={t("alarms.response")} strong>
            {alarmResponse(alarm)}
          </Fact>
          <Fact name={t("alarms.cause")}>{detail === null ? alarm.cause : <span lang="en">{detail}</span>}</Fact>
          <Fact name={t("alarms.consequence")}>
            {t(`alarm_consequence.${alarm.consequence}`)} ·{" "}
            {t("alarms.within", { span: spanText(alarm.time_to_respond_secs) })}
          </Fact>
          {alarm.raised_at !== null && <Fact name={t("alarms.raised")}>{formatMoment(alarm.raised_at * 1_000)}</Fact>}
          {alarm.returned_at !== null && (
            <Fact name={t("alarms.returned")}>{formatMoment(alarm.returned_at * 1_000)}</Fact>
          )}
          {alarm.acknowledged_by !== null && alarm.acknowledged_at !== null && (
            <Fact name={t("alarms.acknowledged")}>
              {t("alarms.by_at", { who: alarm.acknowledged_by, time: formatMoment(alarm.acknowledged_at * 1_000) })}
            </Fact>
          )}
          {alarm.shelved && (
            <Fact name={t("alarms.shelved")}>
              {t("alarms.until_because", {
                who: alarm.shelved.by,
                time: formatMoment(alarm.shelved.until_ms),
                reason: alarm.shelved.reason,
              })}
            </Fact>
          )}
          {alarm.out_of_service && (
            <Fact name={t("alarm_preset.out_of_service")}>
              {t("alarms.since_because", {
                who: alarm.out_of_service.by,
                time: formatMoment(alarm.out_of_service.since_ms),
                reason: alarm.out_of_service.reason,
              })}
            </Fact>
          )}
          {alarm.suppressed_by !== null && <Fact name={t("alarms.suppressed_by")}>{alarm.suppressed_by}</Fact>}
          <Fact name={t("alarms.source")}>
            <Source alarm={alarm} />
          </Fact>
        </dl>
        <AlarmActs alarm={alarm} open={act} onOpen={onAct} onGone={() => heading.current?.focus()} />
        <AlarmTrend alarm={alarm} />
        <AlarmRelated alarm={alarm} />
      </div>
    </Panel>
  );
}

function Fact({ name, strong = false, children }: { name: string; strong?: boolean; children: ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>{name}</dt>
      <dd>{strong ? <strong>{children}</strong> : children}</dd>
    </div>
  );
}

/** The rule, or the robot the station watches: where somebody looks next. */
function Source({ alarm }: { alarm: AlarmRow }) {
  return (
    <>
      {alarm.source.startsWith("al-") ? (
        <Link href={rulePath(alarm.source)}>{alarm.limit ?? alarm.source}</Link>
      ) : (
        <code>{alarm.source}</code>
      )}
      {alarm.robot !== null && (
        <>
          {" · "}
          <Link href={`/safety/${alarm.robot}`}>{t("alarms.open_robot", { robot: alarm.robot })}</Link>
        </>
      )}
    </>
  );
}
