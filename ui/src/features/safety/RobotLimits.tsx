import { useState } from "react";
import type { ConstraintRow } from "../../generated/bindings/ConstraintRow";
import type { RobotRow } from "../../generated/bindings/RobotRow";
import { Button } from "../../design/components/Button";
import { Notice } from "../../design/components/Notice";
import { useMedia } from "../../design/layout/media";
import { Panel } from "../../design/layout/Panel";
import { Rows } from "../../design/components/Rows";
import { useAdminRefusal } from "../../domain/station/useAdminRefusal";
import { useRows } from "../../domain/station/useRows";
import { t } from "../../locales/i18n";
import { useHolding } from "../../domain/control/useHolding";
import type { DrawnZone } from "../../domain/scene/flat/drawn-zone";
import { CommissioningSection } from "./CommissioningSection";
import { ControlSection } from "./ControlSection";
import { DraftScene } from "./DraftScene";
import { DrillSection } from "./DrillSection";
import { Fallbacks } from "./Fallbacks";
import { HeroScene } from "./HeroScene";
import { Joints } from "./Joints";
import { LimitForm, movedForm, type OpenForm } from "./LimitForm";
import { Locks } from "./Locks";
import { MarginStrip } from "./MarginStrip";
import { RobotAlarms } from "./RobotAlarms";
import { SetTable } from "./SetTable";
import { StandingApprovals } from "./StandingApprovals";
import { StateSection } from "./StateSection";
import { SupervisionSection } from "./SupervisionSection";
import { UnconstrainedSection } from "./UnconstrainedSection";
import { CameraPanes } from "../../domain/camera/CameraPanes";
import styles from "./RobotLimits.module.css";

type RobotLimitsProps = {
  robot: RobotRow;
  limit: string | undefined;
  /** A limit is to be added: with the numbers of a zone that was drawn on a scene, or without. */
  adding?: { drawn: DrawnZone | null } | null;
  /** The numbers to which the limit was moved on a scene; the form that changes it opens with them. */
  moved?: string | undefined;
};

/** Windows with room for the robot among its limits beside everything that is said about it. */
const WIDE = "(min-width: 73em)";

/**
 * One robot: its state and control, its limits and the form that changes them, what is let happen, what is in use, what
 * is done about failures.
 */
export function RobotLimits({ robot, limit, adding = null, moved }: RobotLimitsProps) {
  const wide = useMedia(WIDE);
  const constraints = useRows("constraints", "list_constraints", { robot: robot.id });
  const limits = (
    <Rows query={constraints} what={t("safety.limits_of", { robot: robot.id })}>
      {({ rows }) => (
        <>
          <LimitSet robot={robot} rows={rows} limit={limit} adding={adding} moved={moved} scene={wide} />
          <MarginStrip robot={robot} rows={rows} />
          {!wide && <RobotScene robot={robot} />}
        </>
      )}
    </Rows>
  );
  const held = (
    <>
      <StateSection robot={robot} />
      <CommissioningSection robot={robot.id} />
      <ControlSection robot={robot} map={!wide} />
      <Joints robot={robot} />
      <RobotCameras robot={robot} />
    </>
  );
  const others = (
    <>
      <div className={styles.pairs}>
        <RobotAlarms robot={robot.id} />
        <SupervisionSection robot={robot} />
        <UnconstrainedSection robot={robot} />
        <StandingApprovals robot={robot.id} />
        <Locks robot={robot.id} />
      </div>
      <Fallbacks robot={robot.id} />
      <DrillSection robot={robot.id} />
    </>
  );
  if (wide) {
    return (
      <div className={styles.wide}>
        <div className={styles.column}>{limits}</div>
        <div className={styles.column}>
          {held}
          {others}
        </div>
      </div>
    );
  }
  return (
    <>
      {held}
      {limits}
      {others}
    </>
  );
}

/** The robot among its limits; while this desk drives it, that picture stands beside the keys. */
function RobotScene({ robot }: { robot: RobotRow }) {
  const holding = useHolding(robot);
  if (holding.by === "you") return null;
  return (
    <Panel title={t("safety.scene_of", { robot: robot.id })}>
      <DraftScene robot={robot} limit={null} frame={null} />
    </Panel>
  );
}

type LimitSetProps = {
  robot: RobotRow;
  rows: readonly ConstraintRow[];
  limit: string | undefined;
  adding: { drawn: DrawnZone | null } | null;
  moved: string | undefined;
  /** The robot among its limits stands above them; an open form, which draws its own, takes that place. */
  scene: boolean;
};

function LimitSet({ robot, rows, limit, adding, moved, scene }: LimitSetProps) {
  const [form, setForm] = useState<OpenForm | null>(() =>
    moved === undefined ? adding && { change: "add", drawn: adding.drawn } : movedForm(rows, limit, moved),
  );
  const [message, setMessage] = useState(moved !== undefined && form === null ? t("limit_change.gone") : "");
  const refusal = useAdminRefusal();

  const open = (next: OpenForm) => {
    setMessage("");
    setForm(next);
  };
  const done = (said: string) => {
    setForm(null);
    setMessage(said);
  };
  const add = (
    <Button data-testid="add-limit" disabled={refusal !== null} onClick={() => open({ change: "add", drawn: null })}>
      {t("safety.add")}
    </Button>
  );

  const changed = form && (
    <LimitForm form={form} robot={robot} rows={rows} onClose={() => setForm(null)} onDone={done} />
  );

  return (
    <>
      {scene && changed}
      <Panel
        title={t("safety.limits_of", { robot: robot.id })}
        aside={
          <>
            {rows[0] && <span>{t("safety.version", { version: rows[0].version })}</span>}
            {refusal}
            {/* Without limits the button stands in the notice below, beside the reason for it. */}
            {rows.length > 0 && add}
          </>
        }
      >
        {scene && !form && (
          <HeroScene robot={robot} onDrawn={refusal === null ? (drawn) => open({ change: "add", drawn }) : null} />
        )}
        {rows.length === 0 ? (
          <Notice title={t("safety.none")} detail={t("safety.none_detail")}>
            {add}
          </Notice>
        ) : (
          <SetTable
            rows={rows}
            defaultFrame={robot.default_frame}
            shown={limit}
            onChange={(row, change) => open({ change, row, moved: null })}
          />
        )}
        <p className={styles.message} role="status">
          {message}
        </p>
      </Panel>
      {!scene && changed}
    </>
  );
}

/** The cameras of a robot; nothing for one without. */
function RobotCameras({ robot }: { robot: RobotRow }) {
  const cameras = robot.cameras ?? [];
  if (cameras.length === 0) return null;
  return (
    <Panel title={t("camera.title")}>
      <CameraPanes cameras={cameras.map((camera) => ({ robot: robot.id, camera }))} />
    </Panel>
  );
}
