import type { Fact } from "./Fact";
import type { Signal } from "./Signal";
import type { Tag } from "./Tag";

export type Frame = { seq: number; mono_ms: number; signals: Signal[]; facts: Fact[]; tags: Tag[] };
