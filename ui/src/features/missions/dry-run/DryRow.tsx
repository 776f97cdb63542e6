import type { ReactNode } from "react";
import { type Mark, VerdictMark } from "../../../design/theme/icons/VerdictMark";
import styles from "./DryRun.module.css";

/** The decision about a row: its mark and its word. */
type Decision = { mark: Mark; word: string };

type DryRowProps = {
  id: string;
  decision: Decision;
  text: string;
  note: string;
  /** False of a step that is never reached. */
  reached?: boolean;
  isOpen: boolean;
  onToggle: () => void;
  cells: ReactNode;
  /** Everything about it, while it is open. */
  children: ReactNode;
};

/** A row of three columns that opens what it is about. */
export function DryRow({ id, decision, text, note, reached = true, isOpen, onToggle, cells, children }: DryRowProps) {
  return (
    <>
      <tr
        className={styles.step}
        data-decision={decision.mark}
        data-reached={reached}
        data-testid={`${id}-row`}
        onClick={onToggle}
      >
        <th scope="row">
          <button
            type="button"
            className={styles.open}
            aria-expanded={isOpen}
            aria-controls={isOpen ? id : undefined}
            data-testid={`${id}-open`}
            onClick={(event) => {
              // The row behind the button would close at once what it has opened.
              event.stopPropagation();
              onToggle();
            }}
          >
            <span className={styles.mark}>
              <VerdictMark mark={decision.mark} />
              <span className="visually-hidden">{decision.word}</span>
            </span>
            <span className={styles.words}>
              <span className={styles.text} title={text}>
                {text}
              </span>
              <span className={styles.quiet}>{note}</span>
            </span>
          </button>
        </th>
        {cells}
      </tr>
      {isOpen && (
        <tr id={id}>
          <td colSpan={3} className={styles.wide}>
            <div className={styles.details} data-testid={id}>
              {children}
            </div>
          </td>
        </tr>
      )}
    </>
  );
}
