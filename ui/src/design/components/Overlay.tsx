import type { ReactNode } from "react";
import { Modal, ModalOverlay } from "react-aria-components";
import styles from "./Overlay.module.css";

type OverlayProps = {
  onClose: () => void;
  /** `wide` for what is read, `narrow` for a question, `search` for what is found by words. */
  size: "narrow" | "wide" | "search";
  /** A dialog of React Aria. */
  children: ReactNode;
};

/**
 * The scrim and the sheet of a window in the window. It opens inside the main view, below the top bar, so that STOP ALL
 * stays in sight and in reach: its root lies in the top layer of React Aria, which a modal dialog leaves alone (U-205,
 * U-601).
 */
export function Overlay({ onClose, size, children }: OverlayProps) {
  return (
    <ModalOverlay
      isOpen
      isDismissable
      className={styles.scrim ?? ""}
      data-size={size}
      {...inMain()}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <Modal className={styles.modal ?? ""} data-size={size}>
        {children}
      </Modal>
    </ModalOverlay>
  );
}

/** The main view; a page without one has its dialogs at the end of its body. */
function inMain(): { UNSTABLE_portalContainer?: Element } {
  // Looked for each time: the main view is mounted anew when another language is chosen.
  const main = document.querySelector("[data-region=main]");
  return main === null ? {} : { UNSTABLE_portalContainer: main };
}
