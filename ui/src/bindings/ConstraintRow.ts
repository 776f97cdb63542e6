import type { ConstraintKind } from "./ConstraintKind";

export type ConstraintRow = { constraint: ConstraintKind; id: string; scope: "manifest" | "robot" | "mission"; frame: string | null; unit: string; version: number; robot: string | null; mission: string | null };
