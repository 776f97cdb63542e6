// The shapes of alarms, one for each priority; used for alarms and nothing else (U-302).

/** 1 is the most urgent. */
type Priority = 1 | 2 | 3 | 4;

const SHAPES: Record<Priority, string> = {
  1: "M2 2h16v16H2z",
  2: "M10 1 19.5 18.5H.5z",
  3: "M.5 1.5h19L10 19z",
  4: "M10 1a9 9 0 1 1 0 18a9 9 0 0 1 0-18z",
};

/** Baseline of the number in each shape: the middle of a triangle is not half its height. */
const BASELINES: Record<Priority, number> = { 1: 14.2, 2: 16.4, 3: 12.2, 4: 14.2 };

/** ■ 1, ▲ 2, ▼ 3, ● 4 in the colours of their priority. */
export function AlarmShape({ priority }: { priority: Priority }) {
  return (
    <svg viewBox="0 0 20 20" aria-hidden="true" focusable="false" width="1.5em" height="1.5em">
      <path
        d={SHAPES[priority]}
        fill={`var(--alarm-p${priority}-fill)`}
        stroke="var(--text)"
        strokeWidth={priority === 3 ? 1.5 : 0}
        strokeLinejoin="round"
      />
      <text
        x="10"
        y={BASELINES[priority]}
        textAnchor="middle"
        fontSize="12"
        fontWeight="600"
        fill={`var(--alarm-p${priority}-text)`}
      >
        {priority}
      </text>
    </svg>
  );
}
