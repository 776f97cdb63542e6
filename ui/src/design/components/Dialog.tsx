import type { ReactNode } from "react";
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from "react-aria-components";
import { Button } from "./Button";
import { inMain } from "./in-main";
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

/**
 * A window in the window. It opens inside the main view, below the top bar, so that STOP ALL stays in sight and in
 * reach: its root lies in the top layer of React Aria, which a modal dialog leaves alone (U-205, U-601).
 */
export function Dialog({ title, onClose, testId, size = "narrow", acts, children }: DialogProps) {
  return (
    <ModalOverlay
      isOpen
      isDismissable
      className={styles.scrim ?? ""}
      {...inMain()}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <Modal className={styles.modal ?? ""} data-size={size}>
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
      </Modal>
    </ModalOverlay>
  );
}
