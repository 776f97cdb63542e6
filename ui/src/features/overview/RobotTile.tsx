import type { KeyboardEvent } from "react";
import { Link } from "wouter";
import type { CauseRow } from "../../generated/bindings/CauseRow";
import type { RobotRow } from "../../generated/bindings/RobotRow";
import { ArmButton } from "../../domain/robot/ArmButton";
import { useArmingRefusal } from "../../domain/robot/useArmingRefusal";
import { hardestFirst } from "../../domain/robot/causes";
import { Refusal } from "../../design/components/Refusal";
import { RobotGlyph } from "../../domain/robot/RobotGlyph";
import { shapeOf } from "../../domain/robot/robot-look";
import { useRobotLook } from "../../domain/robot/useRobotLook";
import { toFrame } from "../../domain/scene/flat/transform";
import { RobotName } from "../../domain/robot/RobotName";
import { ControlChip } from "../../domain/control/ControlChip";
import { formatNumber, formatPosition } from "../../design/format/numbers";
import { useCommandRefusal } from "../../domain/station/useCommandRefusal";
import { useLive } from "../../domain/station/useLive";
import { type OperationCall, useOperation } from "../../domain/station/useOperation";
import { t } from "../../locales/i18n";
import { findShortcut, useHints } from "../../design/shortcuts/keys-in-force";
import { Aged } from "../../design/components/Aged";
import { useReading } from "../../domain/robot/useReading";
import { formatAge, formatRoundTrip } from "../../design/format/time";
import type { Trouble } from "./overview-state";
import styles from "./RobotTile.module.css";
import { WhyIdle } from "./WhyIdle";

type RobotTileProps = {
  robot: RobotRow;
  /** The frame of the positions of all robots. */
  frame: string;
  trouble: Trouble | null;
  gone: boolean;
  /** It is marked in the scene, as it is once it is clicked or the focus is in it. */
  chosen: boolean;
  onChoose: () => void;
};

/** One robot: state, link and its live values, each with its age. */
export function RobotTile({ robot, frame, trouble, gone, chosen, onChoose }: RobotTileProps) {
  const state = useLive((store) => store.safety.get(robot.id)?.state ?? robot.state);
  const unreachable = useLive((store) => store.time.lost || (store.links.get(robot.id)?.link ?? robot.link) === "lost");
  const look = useRobotLook(robot);
  const commands = useCommandRefusal();
  const refusal = useArmingRefusal(robot, state);
  const causes = useLive((store) => store.safety.get(robot.id)?.causes ?? NO_CAUSES);
  const take = useOperation("take_control");
  const moves = robot.actuators.some(({ kind }) => kind === "tool" || kind === "base");
  const onKeyDown = (event: KeyboardEvent) => {
    if (commands !== null || findShortcut(event, "tile") !== "take_control") return;
    event.preventDefault();
    take.run({ robot: robot.id });
  };
  return (
    <tr
      data-testid={`robot-tile-${robot.id}`}
      data-trouble={trouble ?? "none"}
      data-lost={unreachable}
      data-chosen={chosen}
      inert={gone}
      className={styles.tile}
      onKeyDown={onKeyDown}
      onFocus={onChoose}
      onClick={onChoose}
    >
      <td className={styles.glyph} aria-hidden="true">
        <RobotGlyph shape={shapeOf(robot)} look={look} />
      </td>
      <th scope="row">
        <Link href={`/world/${robot.id}`} className={styles.name}>
          <RobotName id={robot.id} simulated={robot.simulated} />
        </Link>
      </th>
      <td data-state={state} className={styles.state}>
        <LinkWord robot={robot} />
        <Link href={`/safety/${robot.id}`} className={styles.name}>
          {robot.errors.length > 0 ? t("robot.invalid") : t(`robot_state.${state}`)}
        </Link>
      </td>
      <ControlCell robot={robot} call={take} />
      <td className={styles.doing}>
        <WhyIdle robot={robot} otherwise={<Why causes={causes} refusal={refusal} />} />
      </td>
      <td className={styles.figures}>
        <WithoutGate robot={robot.id} />
        {moves && (
          <Reading
            signal={`robot/${robot.id}/speed`}
            robot={robot.id}
            format={(value) => `${formatNumber(value, 2)} m/s`}
          />
        )}
        <Battery robot={robot.id} />
        {moves && <Position robot={robot} frame={frame} />}
      </td>
      <td className={styles.action}>
        <ArmButton robot={robot} state={state} refusal={refusal} />
      </td>
    </tr>
  );
}

/** Holder of control, and the refusal of taking it by key. */
function ControlCell({ robot, call }: { robot: RobotRow; call: OperationCall<"take_control"> }) {
  const key = useHints().of("take_control");
  return (
    <td className={styles.control} title={key === "" ? undefined : t("control.tile_hint", { key })}>
      <ControlChip robot={robot} brief />
      <Refusal error={call.error} />
    </td>
  );
}

const NO_CAUSES: readonly CauseRow[] = [];

/** Until the station has said more: the cause that takes most to end, else why the robot cannot be armed. */
function Why({ causes, refusal }: { causes: readonly CauseRow[]; refusal: string | null }) {
  const [first] = hardestFirst(causes);
  if (!first) {
    if (refusal === null) return null;
    return (
      <small className={styles.refusal} title={refusal}>
        {refusal}
      </small>
    );
  }
  const more = causes.length - 1;
  const all = causes.map(({ cause, clears }) => `${t(`cause.${cause}`)} · ${t(`clears_short.${clears}`)}`);
  return (
    <small className={styles.refusal} data-testid="worst-cause" title={all.join("\n")}>
      <strong>{t(`cause.${first.cause}`)}</strong>
      {more > 0 && ` ${t("robot.more_causes", { count: more })}`} · {t(`clears_short.${first.clears}`)}
    </small>
  );
}

/** Reaction of a robot whose gate dies: that it keeps moving, accepted or not (RG-32), or when it was measured to stop. */
function WithoutGate({ robot }: { robot: string }) {
  const keepsMoving = useLive((store) => store.safety.get(robot)?.keeps_moving ?? false);
  const timeout = useLive((store) => store.safety.get(robot)?.base_timeout ?? null);
  if (keepsMoving) {
    return (
      <span className={styles.keeps} data-testid="tile-keeps-moving">
        {t("robot.keeps_moving")}
      </span>
    );
  }
  if (timeout === null || timeout === "not_measured" || timeout === "never") return null;
  return <span title={t("robot.stops_alone_hint")}>{t("robot.stops_alone", { time: formatAge(timeout.after) })}</span>;
}

/** Charge in percent. Stations send a share (0 to 1) or a percentage; the unit tells which. */
function Battery({ robot }: { robot: string }) {
  const { signal, state, age } = useReading(`robot/${robot}/battery`, robot);
  if (typeof signal?.value !== "number") return null;
  const percent = signal.unit === "%" ? signal.value : signal.value * 100;
  return (
    <Aged state={state} age={age} origin={signal.origin}>
      {formatNumber(percent, 0)} %
    </Aged>
  );
}

/** Up to this round trip a link is shown plainly, ms (U-505). */
const SLOW_MS = 100;

/** The link in words where it is not as it should be, and its round trip once it is slow. */
function LinkWord({ robot }: { robot: RobotRow }) {
  const link = useLive((store) => store.links.get(robot.id)?.link ?? robot.link);
  const slow = useLive((store) => (store.links.get(robot.id)?.rtt_ms ?? robot.rtt_ms ?? 0) > SLOW_MS);
  const trip = useLive((store) => formatRoundTrip(store.links.get(robot.id)?.rtt_ms ?? robot.rtt_ms ?? 0));
  switch (link) {
    case "live":
      return slow ? `${trip} ${t("link.slow")}, ` : <span className="visually-hidden">{t("link.live")}</span>;
    case "late":
    case "lost":
    case "never":
      return (
        <>
          <strong>{t(`link.${link}`)}</strong>,{" "}
        </>
      );
  }
}

/** Position of a robot in `frame`, or else in its own, which is named then. */
function Position({ robot, frame }: { robot: RobotRow; frame: string }) {
  const { signal, state, age } = useReading(`robot/${robot.id}/pose`, robot.id);
  const pose = signal?.value;
  if (typeof pose !== "object")
    return (
      <Aged state="never" age="">
        {null}
      </Aged>
    );
  const own = `${formatPosition(pose.position_m)} ${t("robot.in_frame", { frame: pose.frame })}`;
  const position_m = toFrame(robot.transforms, pose.frame, frame, pose.position_m);
  return (
    <span title={own}>
      <Aged state={state} age={age} origin={signal?.origin}>
        {position_m ? formatPosition(position_m) : own}
      </Aged>
    </span>
  );
}

type ReadingProps = { signal: string; robot: string; format: (value: number) => string };

/** A number a robot reports; a robot that never reports it has no such number. */
function Reading({ signal, robot, format }: ReadingProps) {
  const reading = useReading(signal, robot);
  const value = reading.signal?.value;
  if (typeof value !== "number") return null;
  return (
    <Aged state={reading.state} age={reading.age} origin={reading.signal?.origin}>
      {format(value)}
    </Aged>
  );
}
