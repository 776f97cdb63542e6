// Reads a floor plan beside the window, which goes on answering meanwhile.

import { PlanFault } from "./plan-file";
import { type Bytes, readFiles } from "./read-files";
import type { FromWorker } from "./read-plan";

addEventListener("message", ({ data }: MessageEvent<readonly Bytes[]>) => {
  readFiles(data, (part) => tell({ part })).then(
    (found) => tell({ found }),
    (error: unknown) => {
      const { code, detail } = error instanceof PlanFault ? error : new PlanFault("unreadable");
      tell({ fault: { code, detail } });
    },
  );
});

function tell(message: FromWorker): void {
  postMessage(message);
}
