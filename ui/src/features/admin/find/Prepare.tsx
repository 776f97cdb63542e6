import type { DraftProblem } from "../../../generated/bindings/DraftProblem";
import type { RobotDraft } from "../../../generated/bindings/RobotDraft";
import type { RobotPrepared } from "../../../generated/bindings/RobotPrepared";
import { Button } from "../../../design/components/Button";
import { Notice } from "../../../design/components/Notice";
import { Refusal } from "../../../design/components/Refusal";
import { TextField } from "../../../design/fields/TextField";
import { Panel } from "../../../design/layout/Panel";
import { useAdminRefusal } from "../../../domain/station/useAdminRefusal";
import { useOperation } from "../../../domain/station/useOperation";
import type { HostError } from "../../../host/host";
import type { Input } from "../../../host/operations";
import { t } from "../../../locales/i18n";
import styles from "../Admin.module.css";
import { ManifestFacts } from "../ManifestFacts";

type PrepareProps = {
  /** The newest draft; undefined while it is being checked. */
  draft: RobotDraft | undefined;
  problems: readonly DraftProblem[];
  /** The reason why the draft could not be checked. */
  failure: HostError | null;
  input: Input<"draft_robot">;
  robot: string;
  folder: string;
  onFolder: (folder: string) => void;
  onDone: (prepared: RobotPrepared) => void;
};

/** The meaning of the draft, its files, and the folder that they go to. */
export function Prepare({ draft, problems, failure, input, robot, folder, onFolder, onDone }: PrepareProps) {
  const prepare = useOperation("prepare_robot");
  const refusal = useAdminRefusal();
  const isWhole = draft?.problems.length === 0 && folder.trim() !== "";
  const send = () => {
    if (isWhole && refusal === null) prepare.run({ ...input, folder: folder.trim() }, onDone);
  };
  const stateText = () => {
    // Without an answer nobody knows that nothing is missing.
    if (draft === undefined) return failure === null ? t("find_robot.checking") : "";
    return openOf(problems, robot);
  };
  return (
    <Panel title={t("find_robot.result")}>
      {problems
        .filter(({ field }) => field === null)
        .map(({ message }) => (
          <Notice key={message} title={t("find_robot.cannot")} detail={message} />
        ))}
      {draft?.meaning && <ManifestFacts meaning={draft.meaning} />}
      {draft && <Files draft={draft} />}
      <form
        noValidate
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <TextField
          label={t("find_robot.folder")}
          value={folder}
          problem={null}
          testId="gate-folder"
          onChange={(next) => {
            onFolder(next);
            prepare.forget();
          }}
        />
        <Button
          type="submit"
          look="primary"
          data-testid="robot-prepare"
          disabled={refusal !== null || !isWhole || prepare.pending}
        >
          {prepare.pending ? t("hold.sending") : t("find_robot.add")}
        </Button>
        <span className={styles.hint} role="status" data-testid="draft-state">
          {refusal ?? stateText()}
        </span>
        <div className={styles.wide}>
          <Refusal error={failure ?? prepare.error} />
        </div>
      </form>
    </Panel>
  );
}

/** The number of fields that are still to do, in words. */
function openOf(problems: readonly DraftProblem[], robot: string): string {
  const count = (kind: DraftProblem["kind"]) => problems.filter((problem) => problem.kind === kind).length;
  const parts = [
    [count("missing"), "find_robot.open_missing"],
    [count("unconfirmed"), "find_robot.open_guess"],
    [count("bad"), "find_robot.open_bad"],
  ] as const;
  const open = parts.filter(([number]) => number > 0).map(([number, key]) => t(key, { count: number }));
  return open.length === 0 ? t("find_robot.ready", { robot }) : open.join(" ");
}

/** Both files as they would be written. */
function Files({ draft }: { draft: RobotDraft }) {
  return (
    <details className={styles.line}>
      <summary>{t("find_robot.files")}</summary>
      <div className={`${styles.forms} ${styles.wide}`}>
        <pre data-testid="draft-manifest">{draft.manifest}</pre>
        <pre data-testid="draft-wiring">{draft.wiring}</pre>
      </div>
    </details>
  );
}
