import type { CameraRow } from "../../generated/bindings/CameraRow";
import styles from "./CameraPanes.module.css";
import { CameraPane } from "./CameraPane";

/** A camera, and the robot that has it. */
export type RobotCamera = { robot: string; camera: CameraRow };

/** Panes beside each other, as many as have room. */
export function CameraPanes({ cameras }: { cameras: readonly RobotCamera[] }) {
  return (
    <div className={styles.panes}>
      {cameras.map(({ robot, camera }) => (
        // A view keeps the age from which its pictures are old; another manifest may name a lower one.
        <CameraPane key={`${robot}/${camera.id}/${camera.max_age_ms}`} robot={robot} camera={camera} />
      ))}
    </div>
  );
}
