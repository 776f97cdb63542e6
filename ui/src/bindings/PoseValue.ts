export type PoseValue = { frame: string; position_m: [number, number, number]; orientation: [number, number, number, number] | null };
