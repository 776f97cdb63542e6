// Directions in which an actuator can be driven by hand, and their velocities.

import type { ActuatorKind } from "../../../generated/bindings/ActuatorKind";
import type { ShortcutId } from "../../../design/shortcuts/shortcuts";

/** One way to go; the third axis is height for a tool and the heading for a base. */
export type Direction = "x_plus" | "x_minus" | "y_plus" | "y_minus" | "z_plus" | "z_minus" | "turn_plus" | "turn_minus";

/** Velocity of a `jog`, in the robot's default frame. */
export type JogVelocity = { linear_mps: number[]; angular_radps: number[] };

/** Standing still. */
export const STILL: JogVelocity = { linear_mps: [0, 0, 0], angular_radps: [0, 0, 0] };

const PLANE: readonly Direction[] = ["x_plus", "x_minus", "y_plus", "y_minus"];

/** The directions an actuator of a kind is offered. */
export function directionsOf(kind: ActuatorKind): readonly Direction[] {
  switch (kind) {
    case "tool":
      return [...PLANE, "z_plus", "z_minus"];
    case "base":
      return [...PLANE, "turn_plus", "turn_minus"];
    case "joints":
    case "gripper":
    case "switch":
      return [];
  }
}

/** The velocity of a direction at these speeds. */
export function velocityOf(direction: Direction, speed_mps: number, turn_radps: number): JogVelocity {
  switch (direction) {
    case "x_plus":
      return linear(speed_mps, 0, 0);
    case "x_minus":
      return linear(-speed_mps, 0, 0);
    case "y_plus":
      return linear(0, speed_mps, 0);
    case "y_minus":
      return linear(0, -speed_mps, 0);
    case "z_plus":
      return linear(0, 0, speed_mps);
    case "z_minus":
      return linear(0, 0, -speed_mps);
    case "turn_plus":
      return turn(turn_radps);
    case "turn_minus":
      return turn(-turn_radps);
  }
}

/** Goal of a step of this length from a place, metres; null for a turn. */
export function stepGoal(
  direction: Direction,
  from_m: readonly [number, number, number],
  distance_m: number,
): number[] | null {
  const { linear_mps: way } = velocityOf(direction, 1, 0);
  return way.every((part) => part === 0) ? null : from_m.map((part, axis) => part + distance_m * (way[axis] ?? 0));
}

function linear(x: number, y: number, z: number): JogVelocity {
  return { ...STILL, linear_mps: [x, y, z] };
}

function turn(z: number): JogVelocity {
  return { ...STILL, angular_radps: [0, 0, z] };
}

/** The key that drives a direction: as the site is drawn from above, x goes right and y goes up. */
export function keyOf(direction: Direction): ShortcutId {
  switch (direction) {
    case "x_plus":
    case "x_minus":
    case "y_plus":
    case "y_minus":
      return `jog_${direction}`;
    case "z_plus":
    case "turn_plus":
      return "jog_third_plus";
    case "z_minus":
    case "turn_minus":
      return "jog_third_minus";
  }
}
