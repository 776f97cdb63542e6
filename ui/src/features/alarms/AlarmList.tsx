import { useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import type { AlarmCounts } from "../../generated/bindings/AlarmCounts";
import type { AlarmPreset } from "../../generated/bindings/AlarmPreset";
import type { AlarmRow } from "../../generated/bindings/AlarmRow";
import type { HostError } from "../../host/host";
import { Segments } from "../../design/components/Segments";
import { Notice } from "../../design/components/Notice";
import { Panel } from "../../design/layout/Panel";
import { Refusal } from "../../design/components/Refusal";
import { Rows } from "../../design/components/Rows";
import { formatNumber } from "../../design/format/numbers";
import { formatWhen } from "../../design/format/time";
import { useOperation } from "../../domain/station/useOperation";
import { useStation } from "../../domain/station/station-context";
import { useRows } from "../../domain/station/useRows";
import { t } from "../../locales/i18n";
import { acknowledgeInput } from "./acknowledge";
import type { OpenAct } from "./AlarmActs";
import { AlarmDetail } from "./AlarmDetail";
import styles from "./AlarmList.module.css";
import { AlarmTable, type LineAct } from "./AlarmTable";
import { listPath, PRESETS } from "./alarm-place";

/** Span of the figures beside the presets, seconds up to now. */
const NOW_SECS = 600;

/** The alarms of a preset, and the one that is opened. */
export function AlarmList({ preset, selected }: { preset: AlarmPreset; selected: string | null }) {
  const { store } = useStation();
  const alarms = useRows("alarms", "list_alarms", { preset });
  // An alarm the address names is shown in full, also where the preset hides it.
  const all = useRows("alarms", "list_alarms", { preset: "all" });
  // The newest minutes are enough for the figures of now.
  const [from] = useState(() => Math.floor((store.time.wall_ms ?? Date.now()) / 1_000) - NOW_SECS);
  const now = useRows("alarms", "alarm_figures", { from }).data?.rows.now ?? null;
  const acknowledge = useAcknowledging();
  const [, navigate] = useLocation();
  const [act, setAct] = useState<{ id: string; act: OpenAct } | null>(null);
  const opened =
    selected === null
      ? undefined
      : (alarms.data?.rows.find(({ id }) => id === selected) ?? all.data?.rows.find(({ id }) => id === selected));

  const onAct = (alarm: AlarmRow, wanted: LineAct) => {
    if (wanted === "acknowledge") return acknowledge.add(alarm);
    setAct({ id: alarm.id, act: "shelve" });
    navigate(listPath(preset, alarm.id));
  };
  return (
    <div className={styles.columns} data-opened={opened !== undefined}>
      <Panel
        title={t(`alarm_preset.${preset}`)}
        titled={false}
        aside={<Presets preset={preset} counts={now} onPreset={(next) => navigate(listPath(next))} />}
      >
        {now?.flood && (
          <p className={styles.flood}>
            {t("alarms.flood", { count: now.flood.count, time: formatWhen(now.flood.since * 1_000) })}
          </p>
        )}
        <Refusal error={acknowledge.error} />
        <Rows query={alarms} what={t("nav.alarms")}>
          {({ rows, asked_ms }) =>
            rows.length === 0 ? (
              <Notice title={t(`alarm_empty.${preset}`)} detail={t("alarms.empty_detail")} />
            ) : (
              <AlarmTable key={preset} alarms={rows} {...{ asked_ms, preset, selected, onAct }} />
            )
          }
        </Rows>
      </Panel>
      {opened && (
        <AlarmDetail
          key={opened.id}
          alarm={opened}
          act={act?.id === opened.id ? act.act : null}
          onAct={(next) => setAct(next === null ? null : { id: opened.id, act: next })}
          onClose={() => navigate(listPath(preset))}
        />
      )}
      {selected !== null && opened === undefined && all.isSuccess && <Notice title={t("alarms.gone")} />}
    </div>
  );
}

/** Acknowledges one alarm after the other: a key may be pressed on the next one before the station has answered. */
function useAcknowledging(): { error: HostError | null; add: (alarm: AlarmRow) => void } {
  const { run, pending, error } = useOperation("acknowledge_alarms");
  const [waiting, setWaiting] = useState<readonly AlarmRow[]>([]);
  // What was sent once is not sent again: acknowledged, it would be refused as changed.
  const sent = useRef(new Set<string>());

  // Synchronises with the station: the next alarm is sent once the one before is answered.
  useEffect(() => {
    const [next, ...rest] = waiting;
    if (pending || !next) return;
    setWaiting(rest);
    // Each as it stood when its key was pressed: together they would be acknowledged as of the newest (AL-05).
    // After a refusal nothing goes on behind its words.
    run(acknowledgeInput([next]), undefined, () => {
      sent.current.clear();
      setWaiting([]);
    });
  }, [pending, waiting, run]);
  const add = (alarm: AlarmRow) => {
    const name = `${alarm.id} ${alarm.seq}`;
    if (sent.current.has(name)) return;
    sent.current.add(name);
    setWaiting((before) => [...before.filter(({ id }) => id !== alarm.id), alarm]);
  };
  return { error, add };
}

function Presets({
  preset,
  counts,
  onPreset,
}: {
  preset: AlarmPreset;
  counts: AlarmCounts | null;
  onPreset: (preset: AlarmPreset) => void;
}) {
  const options = PRESETS.map((value) => ({ value, text: presetText(value, counts) }));
  return <Segments label={t("alarms.presets")} value={preset} options={options} onChange={onPreset} />;
}

/** With its number, so that nobody forgets what is hidden. */
function presetText(preset: AlarmPreset, counts: AlarmCounts | null): string {
  const count = preset === "all" ? 0 : (counts?.[preset] ?? 0);
  return count === 0 ? t(`alarm_preset.${preset}`) : `${t(`alarm_preset.${preset}`)} ${formatNumber(count, 0)}`;
}
