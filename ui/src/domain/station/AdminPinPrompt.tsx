import { useEffect, useRef } from "react";
import { BareButton } from "../../design/components/BareButton";
import { t } from "../../locales/i18n";
import styles from "./AdminGrant.module.css";

type AdminPinPromptProps = {
  disabled: boolean;
  /** The words of its button, where it does more than raise the window. */
  confirm?: string;
  onChange: () => void;
  onPin: (pin: string) => void;
  onCancel: () => void;
};

/** Asks for the Admin PIN, in a field of the browser's own that is emptied once it is read. */
export function AdminPinPrompt({
  disabled,
  confirm = t("admin.confirm"),
  onChange,
  onPin,
  onCancel,
}: AdminPinPromptProps) {
  const field = useRef<HTMLInputElement>(null);

  // Synchronises with the focus of the window: whoever acts as Admin types the PIN now.
  useEffect(() => field.current?.focus(), []);

  return (
    <form
      className={styles.prompt}
      onSubmit={(event) => {
        event.preventDefault();
        const pin = field.current?.value ?? "";
        if (field.current === null || pin === "") return;
        field.current.value = "";
        onPin(pin);
      }}
    >
      <input
        ref={field}
        type="password"
        autoComplete="off"
        className={styles.pin}
        aria-label={t("admin.pin")}
        placeholder={t("admin.pin")}
        data-testid="admin-pin"
        onChange={onChange}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          // It closes the prompt, and nothing around it.
          event.stopPropagation();
          onCancel();
        }}
      />
      <BareButton type="submit" className={styles.button} disabled={disabled}>
        {confirm}
      </BareButton>
      <button type="button" className={styles.button} onClick={onCancel}>
        {t("admin.cancel")}
      </button>
    </form>
  );
}
