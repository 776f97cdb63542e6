// The import of a floor plan: files are read beside the window, then placed on the site.

import { useRef, useState } from "react";
import type { SitePlan } from "../../../generated/bindings/SitePlan";
import { type FaultCode, PlanFault } from "./import/plan-file";
import { readPlan } from "./import/read-plan";
import { firstTexts, type PlacementTexts, type Placing } from "./placing";

/** The step that an import has come to. */
export type ImportState =
  | { step: "none" }
  | { step: "reading"; part: number }
  | { step: "failed"; code: FaultCode; detail: string }
  | ({ step: "placing" } & Placing);

/** An import; `begin` reads files, `end` gives it up or closes it. */
export type PlanImport = {
  state: ImportState;
  begin: (files: readonly File[]) => void;
  /** Begins with files that have yet to come. */
  beginWith: (files: (signal: AbortSignal) => Promise<readonly File[]>) => void;
  place: (texts: PlacementTexts) => void;
  end: () => void;
};

const NONE: ImportState = { step: "none" };

/** `onPlan` hears of a whole plan, which needs no placing. */
export function usePlanImport(onPlan: (plan: SitePlan) => void): PlanImport {
  const [state, setState] = useState<ImportState>(NONE);
  const running = useRef<AbortController>(null);

  const end = () => {
    running.current?.abort();
    setState(NONE);
  };
  const begin = async (find: (signal: AbortSignal) => Promise<readonly File[]>) => {
    // Of two imports only the newer one may end in a plan.
    running.current?.abort();
    const control = new AbortController();
    running.current = control;
    setState({ step: "reading", part: 0 });
    try {
      const files = await find(control.signal);
      const found = await readPlan(files, (part) => setState({ step: "reading", part }), control.signal);
      if ("file" in found) return setState({ step: "placing", file: found.file, texts: firstTexts(found.file) });
      setState(NONE);
      onPlan(found.plan);
    } catch (error) {
      if (control.signal.aborted) return;
      const fault = error instanceof PlanFault ? error : new PlanFault("unreadable");
      setState({ step: "failed", code: fault.code, detail: fault.detail });
    }
  };
  return {
    state,
    begin: (files) => void (files.length > 0 && begin(() => Promise.resolve(files))),
    beginWith: (find) => void begin(find),
    place: (texts) => setState((before) => (before.step === "placing" ? { ...before, texts } : before)),
    end,
  };
}
