import type { ReactNode } from "react";
import { Button } from "../components/Button";
import { t } from "../../locales/i18n";
import styles from "./forms.module.css";

type SubmitRowProps = {
  act: string;
  pending: boolean;
  disabled: boolean;
  hint: string;
  testId: string;
  /** Stands before the button, for example a box to tick. */
  children?: ReactNode;
};

/** The end of a form: the button that submits it, and beside it a refusal or a hint. */
export function SubmitRow({ act, pending, disabled, hint, testId, children }: SubmitRowProps) {
  return (
    <div className={styles.act}>
      {children}
      <Button type="submit" look="primary" data-testid={testId} disabled={disabled || pending}>
        {pending ? t("hold.sending") : act}
      </Button>
      <span className={styles.hint}>{hint}</span>
    </div>
  );
}
