import { useEffect, useRef, useState } from "react";
import { Button } from "../../design/components/Button";
import { HoldButton } from "../../design/components/HoldButton";
import { AdminPinPrompt } from "../../domain/station/AdminPinPrompt";
import type { AdminRaise } from "../../domain/station/useAdminRaise";
import { t } from "../../locales/i18n";

type ActivationActsProps = {
  /** Everything that the dialog shows: the act is shut for a moment after each change of it. */
  version: string;
  disabled: boolean;
  pending: boolean;
  /** Makes this window act as Admin first; null where that is not needed or not possible. */
  admin: AdminRaise | null;
  onActivate: () => void;
  onClose: () => void;
};

/** The acts of an activation: not now, and the activation, which raises the window to Admin first where it needs that. */
export function ActivationActs({ version, disabled, pending, admin, onActivate, onClose }: ActivationActsProps) {
  const safe = useRef<HTMLButtonElement>(null);
  // The PIN is given for what was shown when the act was pressed, and for nothing that came later.
  const [asksPinOf, setAsksPinOf] = useState<string | null>(null);
  const isOpen = useRef(false);

  // Synchronises with the dialog: whoever closes it while the station is still asked for Admin activates nothing.
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);

  const raise = async (by: AdminRaise, input: { pin?: string }) => {
    const isRaised = await by.raise(input);
    if (!isRaised || !isOpen.current) return;
    setAsksPinOf(null);
    // The prompt goes, and the focus with it: it is never left to fall on the act.
    safe.current?.focus();
    onActivate();
  };
  const press = () => {
    if (admin === null) onActivate();
    else if (admin.hasPin) setAsksPinOf(version);
    else void raise(admin, {});
  };
  const cancelPin = () => {
    admin?.forget();
    setAsksPinOf(null);
    safe.current?.focus();
  };
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- a dialog takes the focus, and this is its safe answer */}
      <Button autoFocus ref={safe} onClick={onClose}>
        {t("missions.not_now")}
      </Button>
      {admin !== null && asksPinOf === version && !disabled ? (
        <AdminPinPrompt
          confirm={t("missions.activate_as_admin")}
          disabled={admin.pending || pending}
          onChange={admin.forget}
          onPin={(pin) => void raise(admin, { pin })}
          onCancel={cancelPin}
        />
      ) : (
        <HoldButton
          label={t(admin === null ? "mission_act.activate_mission" : "missions.activate_as_admin")}
          version={version}
          needsHold={false}
          disabled={disabled}
          pending={pending || (admin?.pending ?? false)}
          testId="activation-yes"
          onAct={press}
        />
      )}
    </>
  );
}
