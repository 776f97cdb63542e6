// The shapes of alarms, one for each priority; used for alarms and nothing else (U-302).

/** 1 is the most urgent. */
type Priority = 1 | 2 | 3 | 4;

const SHAPES: Record<Priority, string> = {
  1: "M4.5 1h13A3.5 3.5 0 0 1 21 4.5v13a3.5 3.5 0 0 1-3.5 3.5h-13A3.5 3.5 0 0 1 1 17.5v-13A3.5 3.5 0 0 1 4.5 1z",
  2: "M11 2.2 20.4 19.6H1.6z",
  3: "M11 20.4 20.6 2.6H1.4z",
  4: "M11 1a10 10 0 1 1 0 20a10 10 0 0 1 0-20z",
};

/** Baseline of the number in each shape: the middle of a triangle is not half its height. */
const BASELINES: Record<Priority, number> = { 1: 15.6, 2: 17.4, 3: 14, 4: 15.6 };
/** The outline of a shape: yellow needs one to be seen on a light surface, a triangle to have round corners. */
const STROKES: Record<Priority, { colour: string; width: number }> = {
  1: { colour: "none", width: 0 },
  2: { colour: "var(--alarm-p2-fill)", width: 2.4 },
  3: { colour: "var(--text)", width: 1.5 },
  4: { colour: "none", width: 0 },
};

/** ■ 1, ▲ 2, ▼ 3, ● 4 in the colours of their priority. */
export function AlarmShape({ priority }: { priority: Priority }) {
  return (
    <svg viewBox="0 0 22 22" aria-hidden="true" focusable="false" width="1.5714em" height="1.5714em">
      <path
        d={SHAPES[priority]}
        fill={`var(--alarm-p${priority}-fill)`}
        stroke={STROKES[priority].colour}
        strokeWidth={STROKES[priority].width}
        strokeLinejoin="round"
      />
      <text
        x="11"
        y={BASELINES[priority]}
        textAnchor="middle"
        fontSize="13"
        fontWeight="700"
        fill={`var(--alarm-p${priority}-text)`}
      >
        {priority}
      </text>
    </svg>
  );
}
