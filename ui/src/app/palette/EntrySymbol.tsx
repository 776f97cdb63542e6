import { Brain, CheckCheck, CornerDownRight, History, type LucideIcon, Play, Route } from "lucide-react";
import { Octagon } from "../../design/theme/icons/Octagon";
import { AlarmMark } from "../../domain/alarm/AlarmMark";
import { RobotGlyph } from "../../domain/robot/RobotGlyph";
import { shapeOf } from "../../domain/robot/robot-look";
import { useRobotLook } from "../../domain/robot/useRobotLook";
import type { RobotRow } from "../../generated/bindings/RobotRow";
import styles from "./Palette.module.css";
import type { Symbol } from "./palette-entries";

type Word = Extract<Symbol, string>;
const ICONS: Record<Exclude<Word, "stop">, LucideIcon> = {
  act: Play,
  approval: CheckCheck,
  belief: Brain,
  memory: History,
  mission: Route,
  place: CornerDownRight,
};

/** The picture in front of an entry: a robot as it is now, an alarm by its priority. */
export function EntrySymbol({ symbol }: { symbol: Symbol }) {
  return (
    <span className={styles.symbol}>
      {typeof symbol === "string" ? (
        <Icon word={symbol} />
      ) : "actuators" in symbol ? (
        <Robot robot={symbol} />
      ) : (
        <AlarmMark alarm={symbol} />
      )}
    </span>
  );
}

function Icon({ word }: { word: Word }) {
  if (word === "stop") return <Octagon />;
  const Picture = ICONS[word];
  return <Picture aria-hidden="true" className={styles.icon} />;
}

function Robot({ robot }: { robot: RobotRow }) {
  return <RobotGlyph shape={shapeOf(robot)} look={useRobotLook(robot)} />;
}
