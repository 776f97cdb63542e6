import { Check, TriangleAlert } from "lucide-react";
import {
  Text,
  UNSTABLE_Toast as Toast,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastRegion as ToastRegion,
} from "react-aria-components";
import { Button } from "./Button";
import { type Said, takeBack, toasts } from "./toast-queue";
import { t } from "../../locales/i18n";
import styles from "./Toasts.module.css";

/** The place of toasts: at the foot of the main view, never over the top bar. */
export function Toasts() {
  return (
    <ToastRegion queue={toasts} className={styles.region ?? ""} data-region="toasts">
      {({ toast }) => (
        <Toast toast={toast} className={styles.toast ?? ""} data-testid="toast">
          <Sign isRefusal={toast.content.isRefusal === true} />
          <ToastContent className={styles.text ?? ""}>
            <Text slot="title">{toast.content.text}</Text>
          </ToastContent>
          <Act said={toast.content} onClose={() => toasts.close(toast.key)} />
        </Toast>
      )}
    </ToastRegion>
  );
}

function Sign({ isRefusal }: { isRefusal: boolean }) {
  const Icon = isRefusal ? TriangleAlert : Check;
  return <Icon aria-hidden="true" className={styles.icon} />;
}

/** The way back, or the end of a refusal. */
function Act({ said: { undo, isRefusal }, onClose }: { said: Said; onClose: () => void }) {
  if (isRefusal === true) {
    return (
      <Button size="row" onClick={onClose}>
        {t("common.close")}
      </Button>
    );
  }
  if (undo === undefined) return null;
  const onUndo = () => {
    void takeBack(undo);
    onClose();
  };
  return (
    <Button size="row" onClick={onUndo}>
      {t("common.undo")}
    </Button>
  );
}
