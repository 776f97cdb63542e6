// The plot of this desk, and the thresholds that are drawn in it.

import { useState } from "react";
import { idOf, type PlotField } from "./plot-fields";
import { keepPlot, keptPlot, type Plot, toggled } from "./plot-memory";

/** The plot and the acts that change it; it is kept with every change. Thresholds go with the screen. */
export function usePlot() {
  const [plot, setPlot] = useState<Plot>(keptPlot);
  const [thresholds, setThresholds] = useState<ReadonlyMap<string, number>>(new Map());
  const change = (next: Plot) => {
    keepPlot(next);
    setPlot(next);
  };
  const setThreshold = (field: PlotField, value: number | null) =>
    setThresholds((known) => {
      const next = new Map(known);
      if (value === null) next.delete(idOf(field));
      else next.set(idOf(field), value);
      return next;
    });
  const toggle = (field: PlotField) => {
    change(toggled(plot, field));
    setThreshold(field, null);
  };
  const add = (field: PlotField) => {
    if (!plot.fields.some((other) => idOf(other) === idOf(field))) toggle(field);
  };
  const setSpan = (span_ms: number) => change({ ...plot, span_ms });
  return { plot, thresholds, setThreshold, toggle, add, setSpan };
}
