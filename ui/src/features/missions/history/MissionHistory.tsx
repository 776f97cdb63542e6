import { useState } from "react";
import type { MissionDetail } from "../../../generated/bindings/MissionDetail";
import type { MissionHistory as History } from "../../../generated/bindings/MissionHistory";
import type { MissionStepRow } from "../../../generated/bindings/MissionStepRow";
import type { MissionVersionRow } from "../../../generated/bindings/MissionVersionRow";
import { Button } from "../../../design/components/Button";
import { Dialog } from "../../../design/components/Dialog";
import { Notice } from "../../../design/components/Notice";
import { Refusal } from "../../../design/components/Refusal";
import { Rows } from "../../../design/components/Rows";
import { formatMoment, formatWhen } from "../../../design/format/time";
import { useCommandRefusal } from "../../../domain/station/useCommandRefusal";
import { useOperation } from "../../../domain/station/useOperation";
import { useRows } from "../../../domain/station/useRows";
import { t } from "../../../locales/i18n";
import type { GraphHistory } from "../graph/useGraphHistory";
import { MissionCompare } from "../MissionCompare";
import { MissionMark } from "../graph/MissionMark";
import styles from "./MissionHistory.module.css";
import { stepSentence } from "./step-words";

/** The longest list of steps, in pages of the station's own length. */
const STEPS = 50;
const STEPS_MAX = 200;
/** Texts that are shown before somebody asks for all. */
const VERSIONS_SHOWN = 4;

type MissionHistoryProps = { mission: MissionDetail; history: GraphHistory };

/** The life of a mission, the newest first, and the texts that its file had. */
export function MissionHistory({ mission, history }: MissionHistoryProps) {
  const [limit, setLimit] = useState(STEPS);
  const told = useRows("missions", "mission_history", { mission_id: mission.id, limit });
  return (
    <Rows query={told} what={t("mission_history.list")}>
      {({ rows }) => (
        <div className={styles.history} data-testid="mission-history">
          <Versions mission={mission} versions={rows.versions} history={history} />
          <Steps told={rows} onMore={limit < STEPS_MAX ? () => setLimit(STEPS_MAX) : null} />
        </div>
      )}
    </Rows>
  );
}

function Steps({ told: { steps, next }, onMore }: { told: History; onMore: (() => void) | null }) {
  return (
    <section aria-label={t("mission_history.steps")}>
      <h3 className={styles.title}>{t("mission_history.steps")}</h3>
      {steps.length === 0 && <Notice title={t("mission_history.none")} detail={t("mission_history.none_detail")} />}
      <ol className={styles.list} data-testid="mission-steps">
        {steps.map((step) => (
          <Step key={step.seq} step={step} />
        ))}
      </ol>
      {next !== null && onMore !== null && (
        <p className={styles.more}>
          <Button size="row" onClick={onMore}>
            {t("mission_history.older")}
          </Button>
        </p>
      )}
      {next !== null && onMore === null && (
        <p className={styles.more}>{t("mission_history.older_cut", { count: steps.length })}</p>
      )}
    </section>
  );
}

function Step({ step }: { step: MissionStepRow }) {
  const { status, at_ms, hash } = step;
  return (
    <li className={styles.step}>
      <MissionMark state={status} running={false} />
      <span className={styles.sentence}>
        {stepSentence(step)}
        {hash !== null && <code className={styles.hash}>{hash.slice(0, 8)}</code>}
      </span>
      <time className={styles.when} dateTime={new Date(at_ms).toISOString()} title={formatMoment(at_ms)}>
        {formatWhen(at_ms)}
      </time>
    </li>
  );
}

type VersionsProps = MissionHistoryProps & { versions: readonly MissionVersionRow[] };

/** The texts, each of which can be held against the file and put in its place. */
function Versions({ mission, versions, history }: VersionsProps) {
  const [compared, setCompared] = useState<{ hash: string; source: string } | null>(null);
  const read = useOperation("get_mission");
  const operator = useCommandRefusal();
  const { id, source, flags } = mission;
  const open = (hash: string, then: (source: string) => void) =>
    read.run({ mission_id: id, version: hash }, (read) => read.source !== null && then(read.source));
  // One that is missing is made again; one that cannot be read is left alone.
  const refusal = source === null && !flags.includes("file_missing") ? t("missions.no_text") : operator;
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? versions : versions.slice(0, VERSIONS_SHOWN);
  return (
    <section aria-label={t("mission_history.versions")}>
      <h3 className={styles.title}>{t("mission_history.versions")}</h3>
      <ol className={styles.list} data-testid="mission-versions">
        {shown.map((version) => (
          <li key={version.hash} className={styles.version}>
            <code className={styles.hash}>{version.hash.slice(0, 8)}</code>
            <span className={styles.sentence}>{wordsOf(version)}</span>
            <span className={styles.when}>{version.seen_ms !== null && formatWhen(version.seen_ms)}</span>
            {/* The file has this text already. */}
            {!version.is_draft && (
              <span className={styles.acts}>
                <Button
                  size="row"
                  data-testid={`compare-${version.hash.slice(0, 8)}`}
                  disabled={source === null || read.pending}
                  onClick={() => open(version.hash, (text) => setCompared({ hash: version.hash, source: text }))}
                >
                  {t("mission_history.compare")}
                </Button>
                <Button
                  size="row"
                  data-testid={`restore-${version.hash.slice(0, 8)}`}
                  disabled={refusal !== null || read.pending || history.pending}
                  title={refusal ?? undefined}
                  onClick={() => open(version.hash, (text) => history.restore(id, text))}
                >
                  {t("mission_history.restore")}
                </Button>
              </span>
            )}
          </li>
        ))}
      </ol>
      {shown.length < versions.length && (
        <p className={styles.more}>
          <Button size="row" data-testid="versions-all" onClick={() => setWhole(true)}>
            {t("mission_history.all_versions", { count: versions.length })}
          </Button>
        </p>
      )}
      <Refusal error={read.error} />
      {compared !== null && source !== null && (
        <Comparison id={id} compared={compared} source={source} onClose={() => setCompared(null)} />
      )}
    </section>
  );
}

type ComparisonProps = {
  id: string;
  compared: { hash: string; source: string };
  source: string;
  onClose: () => void;
};

/** An earlier text beside that of the file. */
function Comparison({ id, compared, source, onClose }: ComparisonProps) {
  return (
    <Dialog
      title={t("mission_history.compare_title", { hash: compared.hash.slice(0, 8), file: `${id}.md` })}
      size="wide"
      testId="mission-compare"
      onClose={onClose}
    >
      <MissionCompare
        before={{ label: t("mission_history.text_of", { hash: compared.hash.slice(0, 8) }), text: compared.source }}
        after={{ label: t("missions.text_of", { file: `${id}.md` }), text: source }}
      />
    </Dialog>
  );
}

/** The place of a text among the others, and its author. */
function wordsOf({ is_draft, is_activated, was_activated, author, activated_by }: MissionVersionRow): string {
  const place = is_activated
    ? t("mission_history.active")
    : was_activated
      ? t("mission_history.was_active")
      : t("mission_history.never_active");
  return [
    is_draft ? t("mission_history.file") : null,
    activated_by === null ? place : t("mission_history.place_by", { place, who: activated_by }),
    author === null ? null : t("mission_history.saved_by", { who: author }),
  ]
    .filter((words) => words !== null)
    .join(" · ");
}
