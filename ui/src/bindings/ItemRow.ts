import type { Item } from "./Item";

export type ItemRow = { item: Item; sentence: string };
