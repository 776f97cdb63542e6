import { type DragEvent, type ReactNode, useState } from "react";
import { Notice } from "../../../design/components/Notice";
import { Rows } from "../../../design/components/Rows";
import { Segments } from "../../../design/components/Segments";
import { Panel } from "../../../design/layout/Panel";
import { useRows } from "../../../domain/station/useRows";
import { t } from "../../../locales/i18n";
import { useRefreshed } from "../useRefreshed";
import { FieldList } from "./FieldList";
import { FIELD_TYPE } from "./field-type";
import { LineTable } from "./LineTable";
import { PlotLanes } from "./PlotLanes";
import { fieldsOf, idOf, type PlotField } from "./plot-fields";
import { lanesOf, type PlotLine } from "./plot-lanes";
import { SPANS_MS } from "./plot-memory";
import styles from "./PlotView.module.css";
import { usePlot } from "./usePlot";
import { usePlotLines } from "./usePlotLines";

/** The most rows asked for: an agent holds no more keys. */
const ROWS_MAX = 20_000;

/** Any number of the world and of topics over time, with a cursor, and thresholds that become rules. */
export function PlotView() {
  const world = useRows("world", "list_world_state", { limit: ROWS_MAX });
  const topics = useRefreshed(useRows("world", "list_topics", {}));
  const { plot, thresholds, setThreshold, toggle, add, setSpan } = usePlot();
  const lines = usePlotLines(plot, { world: world.data, topics: topics.data }, thresholds);
  return (
    <Rows query={world} what={t("plot.fields")}>
      {({ rows }) => {
        const fields = fieldsOf(rows, topics.data?.rows ?? []);
        return (
          <div className={styles.columns}>
            <FieldList fields={fields} plotted={plot.fields} onToggle={toggle} />
            <Panel title={t("plot.title")} aside={<Span span_ms={plot.span_ms} onSpan={setSpan} />}>
              <Drop fields={fields} onField={add}>
                <Lines lines={lines} span_ms={plot.span_ms} onThreshold={setThreshold} onRemove={toggle} />
              </Drop>
            </Panel>
          </div>
        );
      }}
    </Rows>
  );
}

function Span({ span_ms, onSpan }: { span_ms: number; onSpan: (span_ms: number) => void }) {
  return (
    <Segments
      label={t("plot.span")}
      value={String(span_ms)}
      options={SPANS_MS.map((offered_ms) => ({
        value: String(offered_ms),
        text: t("plot.minutes", { minutes: offered_ms / 60_000 }),
      }))}
      onChange={(span) => onSpan(Number(span))}
    />
  );
}

type DropProps = { fields: readonly PlotField[]; onField: (field: PlotField) => void; children: ReactNode };

/** Lets a field be dropped. */
function allowField(event: DragEvent) {
  if (event.dataTransfer.types.includes(FIELD_TYPE)) event.preventDefault();
}

/** The area that fields are dropped on; a press on a field does the same. */
function Drop({ fields, onField, children }: DropProps) {
  const onDrop = (event: DragEvent) => {
    const dropped = fields.find((field) => idOf(field) === event.dataTransfer.getData(FIELD_TYPE));
    if (!dropped) return;
    event.preventDefault();
    onField(dropped);
  };
  return (
    <div className={styles.plot} data-testid="plot" onDragOver={allowField} onDrop={onDrop}>
      {children}
    </div>
  );
}

type LinesProps = {
  lines: readonly PlotLine[];
  span_ms: number;
  onThreshold: (field: PlotField, value: number | null) => void;
  onRemove: (field: PlotField) => void;
};

function Lines({ lines, span_ms, onThreshold, onRemove }: LinesProps) {
  const [cursor_ms, setCursor] = useState<number | null>(null);
  if (lines.length === 0) return <Notice title={t("plot.empty")} detail={t("plot.empty_detail")} />;
  const lanes = lanesOf(lines, span_ms);
  const act = { cursor_ms, onThreshold };
  return (
    <>
      <PlotLanes lanes={lanes} span_ms={span_ms} onCursor={setCursor} {...act} />
      <LineTable lanes={lanes} onRemove={onRemove} {...act} />
    </>
  );
}
