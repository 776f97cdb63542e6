export type Consequence = "harm" | "damage" | "mission" | "none";
