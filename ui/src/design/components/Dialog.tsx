import type { ReactNode } from "react";
import { Dialog as AriaDialog, Heading } from "react-aria-components";
import { Button } from "./Button";
import { Overlay } from "./Overlay";
import { t } from "../../locales/i18n";
import styles from "./Dialog.module.css";

type DialogProps = {
  title: string;
  onClose: () => void;
  testId?: string;
  /** `wide` for what is read, `narrow` for a question. */
  size?: "narrow" | "wide";
  /** The acts at its foot, the safe one first. Without them it has a button that closes it. */
  acts?: ReactNode;
  children: ReactNode;
};

/** A window in the window, with a title, acts at its foot, and STOP ALL beside it. */
export function Dialog({ title, onClose, testId, size = "narrow", acts, children }: DialogProps) {
  return (
    <Overlay onClose={onClose} size={size}>
      <AriaDialog className={styles.dialog ?? ""} data-testid={testId}>
        <div className={styles.head}>
          <Heading slot="title" className={styles.title ?? ""}>
            {title}
          </Heading>
          {acts === undefined && (
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- a dialog takes the focus, and this is its safe answer
            <Button autoFocus onClick={onClose}>
              {t("common.close")}
            </Button>
          )}
        </div>
        <div className={styles.body}>{children}</div>
        {acts !== undefined && <div className={styles.acts}>{acts}</div>}
      </AriaDialog>
    </Overlay>
  );
}
