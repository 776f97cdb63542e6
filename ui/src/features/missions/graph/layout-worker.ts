// Lays missions out beside the window, which goes on answering meanwhile.

import type { Box, Pair } from "./graph-model";
import { layered } from "./layered";

addEventListener("message", ({ data }: MessageEvent<{ boxes: Box[]; pairs: Pair[] }>) => {
  postMessage([...layered(data.boxes, data.pairs)]);
});
