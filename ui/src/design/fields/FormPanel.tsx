import { type KeyboardEvent, type ReactNode, useEffect, useRef } from "react";
import { Button } from "../components/Button";
import { Panel } from "../layout/Panel";
import { t } from "../../locales/i18n";
import { findShortcut } from "../shortcuts/keys-in-force";
import styles from "./FormPanel.module.css";

type FormPanelProps = { title: string; onSubmit: () => void; onClose: () => void; children: ReactNode };

/** A form in the page: takes the focus when it opens and gives it back; F8 goes from problem to problem (U-1610). */
export function FormPanel({ title, onSubmit, onClose, children }: FormPanelProps) {
  const form = useRef<HTMLFormElement>(null);

  // Synchronises with the focus of the window: whoever opened the form wants to fill it in.
  useEffect(() => {
    const before = document.activeElement;
    form.current?.querySelector<HTMLElement>("select, input, textarea")?.focus();
    form.current?.scrollIntoView({ block: "nearest" });
    return () => {
      // The focus has left the window with the form. Anywhere else somebody is at work, and keeps it.
      const isNowhere = document.activeElement === null || document.activeElement === document.body;
      if (isNowhere && before instanceof HTMLElement) before.focus();
    };
  }, []);

  return (
    <Panel
      title={title}
      aside={
        <Button look="quiet" onClick={onClose}>
          {t("safety.cancel")}
        </Button>
      }
    >
      <form
        ref={form}
        // The browser's own messages speak its language and stop the form before the station has judged it.
        noValidate
        className={styles.form}
        onKeyDown={goToProblem}
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        {children}
      </form>
    </Panel>
  );
}

function goToProblem(event: KeyboardEvent<HTMLFormElement>): void {
  const shortcut = findShortcut(event, "form");
  if (shortcut !== "next_problem" && shortcut !== "previous_problem") return;
  event.preventDefault();
  focusProblem(event.currentTarget, shortcut === "next_problem" ? 1 : -1);
}

/** Focuses the next field with a problem, round and round. */
function focusProblem(form: HTMLFormElement, step: 1 | -1): void {
  const problems = [...form.querySelectorAll<HTMLElement>("[aria-invalid=true]")];
  const here = problems.findIndex((field) => field === document.activeElement);
  const next = here < 0 && step < 0 ? -1 : here + step;
  problems.at(next % Math.max(problems.length, 1))?.focus();
}
