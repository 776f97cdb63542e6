import { LocateFixed } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import type { CommandChecked } from "../../../generated/bindings/CommandChecked";
import type { CommandOutcome } from "../../../generated/bindings/CommandOutcome";
import type { RawCommand } from "../../../generated/bindings/RawCommand";
import type { RobotRow } from "../../../generated/bindings/RobotRow";
import { Button } from "../../../design/components/Button";
import { Notice } from "../../../design/components/Notice";
import { Refusal } from "../../../design/components/Refusal";
import { Rows } from "../../../design/components/Rows";
import forms from "../../../design/fields/forms.module.css";
import { ScenePage } from "../../../design/layout/ScenePage";
import { ArmButton } from "../../../domain/robot/ArmButton";
import { poseNow, useHasPose } from "../../../domain/robot/pose-now";
import { useArmingRefusal } from "../../../domain/robot/useArmingRefusal";
import { useStation } from "../../../domain/station/station-context";
import { useCommandRefusal } from "../../../domain/station/useCommandRefusal";
import { useLive } from "../../../domain/station/useLive";
import { useOperation } from "../../../domain/station/useOperation";
import { useRows } from "../../../domain/station/useRows";
import { byMargin, isArbitration } from "../../../domain/verdict/denial-facts";
import { DenialControl } from "../../../domain/verdict/DenialControl";
import { itemSaid, verdictSaid } from "../../../domain/verdict/item-words";
import { LimitsTable } from "../../../domain/verdict/LimitsTable";
import { markOf } from "../../../domain/verdict/verdict-words";
import { VerdictMark } from "../../../design/theme/icons/VerdictMark";
import { requestId } from "../../../host/request-id";
import { toHostError } from "../../../host/host";
import { t } from "../../../locales/i18n";
import { saidLine } from "../../../locales/station-words";
import { draftAt, type GoalDraft, motionOf, placeOf, speedOf } from "./goal-draft";
import { GoalFields } from "./GoalFields";
import styles from "./GoalPage.module.css";
import { GoalScene } from "./GoalScene";
import { type GoalCheck, useGoalCheck } from "./useGoalCheck";

/** One robot and a goal for it: placed on the scene, judged as it moves, and sent by a click. */
export function GoalPage({ robot: id }: { robot: string }) {
  const robots = useRows("robots", "list_robots", {});
  return (
    <Rows query={robots} what={t("overview.robots")}>
      {({ rows }) => {
        const robot = rows.find((row) => row.id === id);
        if (!robot) return <Notice title={t("goal.gone", { robot: id })} />;
        return <RobotGoal key={id} robot={robot} robots={rows} />;
      }}
    </Rows>
  );
}

type RobotGoalProps = { robot: RobotRow; robots: readonly RobotRow[] };

/** The desk begins at the first known pose of the robot, and stays with its draft when that pose is lost. */
function RobotGoal({ robot, robots }: RobotGoalProps) {
  const { store } = useStation();
  const hasPose = useHasPose(robot, null);
  const [start, setStart] = useState<GoalDraft | null>(null);
  const here = start === null && hasPose ? poseNow(store, robot, null) : null;
  // During the render, so that the page never stands there without its first goal.
  if (here !== null) setStart(draftAt(here));
  const parts = robot.actuators.filter(({ motions }) => motions.includes("pose_goal")).map((part) => part.id);
  const [part] = parts;
  if (part === undefined) {
    return <Notice title={t("goal.none", { robot: robot.id })} detail={t("goal.none_detail")} />;
  }
  if (start === null)
    return <Notice title={t("goal.no_pose", { robot: robot.id })} detail={t("goal.no_pose_detail")} />;
  return <Desk robot={robot} robots={robots} parts={parts} part={part} start={start} hasPose={hasPose} />;
}

type DeskProps = RobotGoalProps & {
  /** Parts that take goals, and the first of them. */
  parts: readonly string[];
  part: string;
  start: GoalDraft;
  hasPose: boolean;
};

function Desk({ robot, robots, parts, part, start, hasPose }: DeskProps) {
  const { store } = useStation();
  const [draft, setDraft] = useState(start);
  const [actuator, setActuator] = useState(part);
  const motion = motionOf(draft);
  const command = motion && { robot: robot.id, actuator, frame: robot.default_frame, motion };
  const check = useGoalCheck(command);
  const fromHere = () => {
    const here = poseNow(store, robot, null);
    if (here) setDraft(draftAt(here, draft.speed));
  };
  return (
    <ScenePage
      label={t("goal.title", { robot: robot.id })}
      testId="goal-page"
      scene={
        <GoalScene
          robot={robot}
          robots={robots}
          goal={{ at_m: placeOf(draft), speed_mps: speedOf(draft) }}
          checked={check.checked}
          onPlace={(to_m) => setDraft(draftAt(to_m, draft.speed))}
        />
      }
      head={
        <>
          <h1 className={styles.title}>{t("goal.title", { robot: robot.id })}</h1>
          <p className={styles.how}>{t("goal.how")}</p>
          <p className={styles.lost} role="status" data-testid="goal-pose-lost">
            {hasPose ? "" : t("goal.pose_lost", { robot: robot.id })}
          </p>
          <Judgement check={check} />
        </>
      }
      acts={<Sending robot={robot.id} command={command} check={check} />}
    >
      <div className={styles.fields}>
        <GoalFields draft={draft} parts={parts} part={actuator} onPart={setActuator} onDraft={setDraft} />
        <Button look="quiet" data-testid="goal-here" disabled={!hasPose} onClick={fromHere}>
          <LocateFixed aria-hidden="true" /> {t("goal.here")}
        </Button>
      </div>
      {check.checked && (
        <>
          {isArbitration(check.checked.explanation) && <DenialControl robot={robot.id} />}
          <Arming robot={robot} />
          <LimitsTable rows={byMargin(check.checked.explanation)} />
        </>
      )}
    </ScenePage>
  );
}

/** The button that arms the robot, while it is not. */
function Arming({ robot }: { robot: RobotRow }) {
  const state = useLive((store) => store.safety.get(robot.id)?.state ?? robot.state);
  const refusal = useArmingRefusal(robot, state);
  if (state !== "disarmed") return null;
  return (
    <div className={styles.arming}>
      <ArmButton robot={robot} state={state} refusal={refusal} />
      {refusal !== null && <span className={forms.hint}>{refusal}</span>}
    </div>
  );
}

/** The decision and what decides it; every limit stands below. */
function shortText({ verdict, explanation, sentence }: CommandChecked): string {
  const [first] = byMargin(explanation);
  if (first === undefined || first.item.verdict === "allow")
    return saidLine(verdictSaid(sentence, verdict, explanation));
  return `${t("denial.title")}: ${itemSaid(first).text}`;
}

/** The judgement as a sentence; faint while it is one of the goal before. */
function Judgement({ check: { checked, isOfThis, error } }: { check: GoalCheck }) {
  if (error) return <Refusal error={toHostError(error)} />;
  return (
    <p className={styles.judgement} data-testid="goal-judgement" data-of-this={isOfThis} role="status">
      {checked ? (
        <>
          <VerdictMark mark={markOf(checked.verdict.overall)} /> <span>{shortText(checked)}</span>
        </>
      ) : (
        t("goal.judging")
      )}
    </p>
  );
}

type SendingProps = { robot: string; command: RawCommand | null; check: GoalCheck };

/** The button that sends the goal as it was judged, and what came of the last one. */
function Sending({ robot, command, check }: SendingProps) {
  const [sent, setSent] = useState<{ outcome: CommandOutcome; of: string } | null>(null);
  const [tried, setTried] = useState<string | null>(null);
  const send = useOperation("send_command");
  const why = useWhyNot(check, command !== null);
  // An outcome or a refusal is told only beside the command that it is of; another draft has none.
  const of = JSON.stringify(command);
  return (
    <>
      <Button
        look="primary"
        size="large"
        data-testid="goal-send"
        disabled={why !== null || send.pending}
        title={why ?? undefined}
        onClick={() => {
          if (!command) return;
          setTried(of);
          send.run({ id: requestId(), ...command }, (outcome) => setSent({ outcome, of }));
        }}
      >
        {t("goal.send", { robot })}
      </Button>
      <Link className={styles.link} href={`/safety/${robot}`}>
        {t("goal.back", { robot })}
      </Link>
      <p className={forms.hint} role="status" data-testid="goal-told">
        {toldOf(send.pending, sent?.of === of ? sent.outcome : null, why)}
      </p>
      <Refusal error={tried === of ? send.error : null} />
    </>
  );
}

/** The reason for which the goal cannot be sent as it stands; null if it can. */
function useWhyNot({ checked, isOfThis }: GoalCheck, isWhole: boolean): string | null {
  const refusal = useCommandRefusal();
  if (refusal !== null) return refusal;
  if (!isWhole) return t("goal.not_whole");
  if (!checked || !isOfThis) return t("goal.judging");
  return checked.verdict.overall === "allow" ? null : t("goal.denied");
}

function toldOf(pending: boolean, outcome: CommandOutcome | null, why: string | null): string {
  if (pending) return t("jog.step_sending");
  if (outcome === null) return why ?? t("goal.ready");
  const step = t(`command_step.${outcome.state}`);
  const { sentence, verdict, explanation } = outcome;
  return outcome.state === "denied"
    ? `${step}: ${saidLine(verdictSaid(sentence, verdict, explanation))}`
    : t("goal.told", { step });
}
