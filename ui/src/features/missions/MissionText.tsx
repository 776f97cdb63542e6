import { useEffect, useRef } from "react";
import styles from "./Missions.module.css";

/** A place of the text; `asked` counts, so that one place can be asked for twice. */
export type TextPlace = { line: number; endLine: number; asked: number };

/** The places that have had the focus. */
const shown = new WeakSet<TextPlace>();

/** The words of a file: plain text, never markdown (U-903). The lines of `place` are marked and brought into sight. */
export function MissionText({ source, place }: { source: string; place: TextPlace | null }) {
  const marked = useRef<HTMLSpanElement>(null);
  // Synchronises with the place that was asked for.
  useEffect(() => {
    if (place === null) return;
    marked.current?.scrollIntoView?.({ block: "center" });
    // Whoever comes back to the text by the keys of its tab wants to go on from there.
    if (!shown.has(place)) marked.current?.focus();
    shown.add(place);
  }, [place]);
  const isIn = (line: number) => place !== null && line >= place.line && line <= place.endLine;
  // Each line keeps its end, so that what is copied is the file.
  const lines = source.split(/(?<=\n)/);
  return (
    <pre className={styles.source} tabIndex={0} data-testid="mission-text">
      {lines.map((text, at) => (
        <span
          key={at}
          ref={place?.line === at + 1 ? marked : undefined}
          tabIndex={place?.line === at + 1 ? -1 : undefined}
          className={isIn(at + 1) ? styles.marked : undefined}
          data-line={at + 1}
        >
          {text}
        </span>
      ))}
    </pre>
  );
}
