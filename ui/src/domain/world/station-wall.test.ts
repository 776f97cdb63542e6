import { expect, it } from "vitest";
import { wallOf } from "./station-wall";

it.each([
  ["the moment of an answer is that of an observation and its age", [{ updated_at: 100, age_ms: 2_500 }], 103_500],
  [
    "the row that was rounded least tells it best",
    [
      { updated_at: 100, age_ms: 2_500 },
      { updated_at: 101, age_ms: 2_100 },
    ],
    104_100,
  ],
  ["nothing that was never observed tells it", [{ updated_at: null, age_ms: null }], null],
])("%s", (_, rows, wall_ms) => expect(wallOf(rows)).toBe(wall_ms));
