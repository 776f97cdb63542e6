import { Check } from "lucide-react";
import {
  Text,
  UNSTABLE_Toast as Toast,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastRegion as ToastRegion,
} from "react-aria-components";
import { Button } from "./Button";
import { toasts } from "./toast-queue";
import { t } from "../../locales/i18n";
import styles from "./Toasts.module.css";

/** The place of toasts: at the foot of the main view, never over the top bar. */
export function Toasts() {
  return (
    <ToastRegion queue={toasts} className={styles.region ?? ""}>
      {({ toast }) => (
        <Toast toast={toast} className={styles.toast ?? ""} data-testid="toast">
          <Check aria-hidden="true" className={styles.icon} />
          <ToastContent className={styles.text ?? ""}>
            <Text slot="title">{toast.content.text}</Text>
          </ToastContent>
          {toast.content.undo !== undefined && (
            <Button
              size="row"
              onClick={() => {
                toast.content.undo?.();
                toasts.close(toast.key);
              }}
            >
              {t("common.undo")}
            </Button>
          )}
        </Toast>
      )}
    </ToastRegion>
  );
}
