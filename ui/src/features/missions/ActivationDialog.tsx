import { useState } from "react";
import type { MissionDetail } from "../../generated/bindings/MissionDetail";
import type { MissionProblem } from "../../generated/bindings/MissionProblem";
import { Dialog } from "../../design/components/Dialog";
import { Refusal } from "../../design/components/Refusal";
import { CheckField } from "../../design/fields/CheckField";
import { TextField } from "../../design/fields/TextField";
import { newestRun, staleWord } from "../../domain/mission/dry-record";
import { requestTexts } from "../../domain/mission/mission-phrase";
import { MissionChanges } from "../../domain/mission/MissionChanges";
import { problemWords } from "../../domain/mission/problem-words";
import { useAdminRaise } from "../../domain/station/useAdminRaise";
import { useAdminRefusal } from "../../domain/station/useAdminRefusal";
import { useCommandRefusal } from "../../domain/station/useCommandRefusal";
import type { HostError } from "../../host/host";
import { t } from "../../locales/i18n";
import { ActivationActs } from "./ActivationActs";
import { MissionCompare } from "./MissionCompare";
import { DraftAuthor } from "./DraftAuthor";
import { DryRunNote } from "./dry-run/DryRunNote";
import { useDryRun } from "./dry-run/useDryRun";
import { EnvelopeBoxes } from "./EnvelopeBoxes";
import { Detail } from "./MissionProblems";
import styles from "./Missions.module.css";
import type { Activation } from "./useMissionActs";

type ActivationDialogProps = {
  mission: MissionDetail;
  /** The sentence that says why its text cannot be activated; null if it can. */
  textProblem: string | null;
  pending: boolean;
  error: HostError | null;
  onActivate: (activation: Activation) => void;
  onClose: () => void;
};

/**
 * An activation before it happens: the differences from the active version, whom they need, and each warning with a
 * box of its own (ME-13). The act takes no click until its content has stood for a while, and again after each change.
 */
export function ActivationDialog(props: ActivationDialogProps) {
  const { mission, textProblem, pending, error, onActivate, onClose } = props;
  const [accepted, setAccepted] = useState<readonly string[]>([]);
  const [reason, setReason] = useState("");
  const call = useDryRun(mission.id);
  const dryRun = newestRun(mission, call.dry);
  const operator = useCommandRefusal();
  const needsAdmin = useAdminRefusal();
  const admin = useAdminRaise();
  const { changes, problems, role_needed, reason_needed, hash } = mission;
  const { granted, grant } = useGrants(hash);
  const warnings = problems.filter(({ severity }) => severity === "warning");
  const open = warnings.filter((warning) => !accepted.includes(nameOf(warning)));
  const raises = role_needed === "admin" && needsAdmin !== null && operator === null && admin.isOffered;
  const refusal = textProblem ?? (role_needed === "admin" && !raises ? needsAdmin : operator);
  const closed = refusal ?? missing(open.length, reason_needed, reason);
  return (
    <Dialog
      title={t("missions.activate_title", { title: mission.title })}
      size="wide"
      testId="activation"
      onClose={onClose}
      acts={
        <ActivationActs
          version={`${hash} ${dryRun?.id} ${dryRun?.stale.map(staleWord).join()} ${granted.join()} ${problems.map(nameOf).join()} ${changes.map(({ sentence }) => sentence).join()}`}
          disabled={closed !== null}
          pending={pending}
          admin={raises ? admin : null}
          onClose={onClose}
          onActivate={() =>
            onActivate({
              // All of them: the button stays disabled until each is accepted.
              accept: warnings.map(({ code, line }) => ({ code, line })),
              reason: reason.trim(),
              grant: granted,
              // A dry run of another text says nothing about this one.
              dryRun: dryRun !== null && dryRun.hash === hash ? dryRun.id : null,
            })
          }
        />
      }
    >
      <DraftAuthor mission={mission} />
      <MissionChanges changes={changes} isFirst={mission.activated_hash === null} />
      <TextChange mission={mission} />
      {mission.robots.length > 0 && <DryRunNote newest={dryRun} call={call} />}
      <p data-testid="activation-role">
        {t(`missions.needs_${role_needed === "admin" ? "admin" : "operator"}`)}
        {raises && ` ${t("missions.raises_admin")}`}
        {reason_needed && ` ${t("missions.needs_reason")}`}
      </p>
      <Warnings warnings={warnings} accepted={accepted} onChange={setAccepted} />
      <EnvelopeBoxes mission={mission.id} requests={requestTexts(mission)} granted={granted} onChange={grant} />
      <TextField
        label={t("missions.reason")}
        value={reason}
        problem={null}
        testId="activation-reason"
        onChange={setReason}
      />
      <Refusal error={error ?? admin.error} />
      <p className={styles.hint} data-testid="activation-closed">
        {closed}
      </p>
    </Dialog>
  );
}

const NO_GRANTS = { hash: null, numbers: [] } as const;

/** The numbers of the standing approvals that a person has granted of the text with this hash. */
function useGrants(hash: string | null) {
  const [grants, setGrants] = useState<{ hash: string | null; numbers: readonly number[] }>(NO_GRANTS);
  return {
    // A request has no name but its number, and under that another text may ask for something else.
    granted: grants.hash === hash ? grants.numbers : NO_GRANTS.numbers,
    grant: (numbers: readonly number[]) => setGrants({ hash, numbers }),
  };
}

/** The sentence that says what a person still owes; null if nothing. */
function missing(open: number, needsReason: boolean, reason: string): string | null {
  if (open > 0) return t("missions.accept_open", { count: open });
  return needsReason && reason.trim() === "" ? t("missions.needs_reason") : null;
}

function nameOf({ code, line, column, message }: MissionProblem): string {
  return `${code} ${line}:${column} ${message}`;
}

/** The text that runs beside the one that would, with what nobody sees; nothing before the first activation. */
function TextChange({ mission: { id, source, activated_source } }: { mission: MissionDetail }) {
  if (source === null || activated_source === null || source === activated_source) return null;
  return (
    <section data-testid="activation-text">
      <strong>{t("missions.text_other")}</strong>
      <MissionCompare
        before={{ label: t("missions.running_text"), text: activated_source }}
        after={{ label: t("missions.text_of", { file: `${id}.md` }), text: source }}
      />
    </section>
  );
}

type WarningsProps = {
  warnings: readonly MissionProblem[];
  /** Names of those that are accepted. */
  accepted: readonly string[];
  onChange: (accepted: readonly string[]) => void;
};

/** Every warning with a box of its own. */
function Warnings({ warnings, accepted, onChange }: WarningsProps) {
  if (warnings.length === 0) return null;
  return (
    <fieldset className={styles.warnings} data-testid="activation-warnings">
      <legend>{t("missions.accept_all", { count: warnings.length })}</legend>
      {warnings.map((warning) => {
        const name = nameOf(warning);
        const others = accepted.filter((other) => other !== name);
        return (
          <Warning
            key={name}
            warning={warning}
            isAccepted={accepted.includes(name)}
            onChange={(is) => onChange(is ? [...others, name] : others)}
          />
        );
      })}
    </fieldset>
  );
}

type WarningProps = { warning: MissionProblem; isAccepted: boolean; onChange: (isAccepted: boolean) => void };

function Warning({ warning, isAccepted, onChange }: WarningProps) {
  return (
    <div>
      <CheckField
        label={t("missions.accept_this", {
          line: warning.line,
          column: warning.column,
          message: problemWords(warning).short,
        })}
        checked={isAccepted}
        testId={`accept-${warning.code}-${warning.line}`}
        onChange={onChange}
      />
      <p className={styles.hint}>
        {warning.key !== null && <code>{warning.key}</code>} <Detail problem={warning} />
      </p>
    </div>
  );
}
