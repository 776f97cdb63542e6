import type { KeyboardEvent, PointerEvent } from "react";
import { stopHint } from "../design/shortcuts/keys-in-force";
import { Octagon } from "../design/theme/icons/Octagon";
import styles from "./StopButton.module.css";
import type { PartlyStopped, StopView, Unconfirmable } from "./stop-view";
import { words } from "./strings";

type StopButtonProps = {
  view: StopView;
  /** At the end of the top bar, or filling a window of its own. */ place: "bar" | "window";
  onStop: () => void;
};

/** Acts on the press itself, not on its end, and asks nothing (U-602). */
export function StopButton({ view, place, onStop }: StopButtonProps) {
  const { line, hint } = textOf(view);

  const onPointerDown = (event: PointerEvent) => {
    // Only the first button: a press of the middle or the right one asks for something else.
    if (event.button === 0) onStop();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== " " && event.key !== "Enter") return;
    // The browser would make a click of the key, and with it a second stop.
    event.preventDefault();
    // A key that is held would send ten stops a second, each a record in the audit.
    if (!event.repeat) onStop();
  };

  return (
    <button
      type="button"
      data-testid="stop-all"
      data-state={view.state}
      data-urgent={isUrgent(view)}
      data-place={place}
      className={styles.button}
      aria-keyshortcuts="Control+."
      onPointerDown={onPointerDown}
      onKeyDown={onKeyDown}
      onClick={(event) => {
        // A click without a press comes from assistive technology.
        if (event.detail === 0) onStop();
      }}
    >
      <Octagon />
      <span className={styles.text}>
        <span className={styles.words}>
          {!isCalledStopAll(view) && <span className="visually-hidden">{words().stopAll}: </span>}
          {line}
        </span>
        <span className={styles.hint}>{hint}</span>
      </span>
    </button>
  );
}

/** Every other state has a name of its own. */
function isCalledStopAll(view: StopView): boolean {
  return view.state === "rest" || view.state === "partly";
}

/** True for a stop of all robots, or one that is not confirmed; that some robots stand is no reason for red. */
function isUrgent(view: StopView): boolean {
  return view.state === "partly" ? view.not_confirmed > 0 : view.state !== "rest";
}

/** The texts of the button: its action or its state in the first line, what is known in the second. */
function textOf(view: StopView): { line: string; hint: string } {
  switch (view.state) {
    case "rest":
      return { line: words().stopAll, hint: unconfirmableText(view.unconfirmable) };
    case "sending":
      return { line: words().sending, hint: stopHint("stop_all") };
    case "failed":
      return { line: words().notSent, hint: words().openPanel };
    case "undelivered":
      return { line: words().notDelivered, hint: words().tryingAgain };
    case "partly":
      return { line: words().stopAll, hint: partlyText(view) };
    case "stopping":
      return { line: words().stopping(view.acked, view.total), hint: words().openPanel };
    case "stopped":
      return { line: words().stopped(view.acked, view.total), hint: words().openPanel };
    case "not_confirmed":
      return { line: words().notConfirmed(view.count), hint: words().openPanel };
  }
}

function unconfirmableText(unconfirmable: Unconfirmable): string {
  switch (unconfirmable.who) {
    case "nobody":
      return stopHint("stop_all");
    case "station":
      return words().cannotConfirm;
    case "robots": {
      const [first, ...more] = unconfirmable.ids;
      return first !== undefined && more.length === 0
        ? words().cannotConfirmOne(first)
        : words().cannotConfirmSome(more.length + 1, unconfirmable.total);
    }
  }
}

/** "1 of 4 stopped"; who has not confirmed comes first. */
function partlyText({ stopped, not_confirmed, total }: PartlyStopped): string {
  return not_confirmed > 0 ? words().partlyUnconfirmed(not_confirmed, total) : words().partly(stopped, total);
}
