import { Undo2 } from "lucide-react";
import { Button } from "../../design/components/Button";
import { t } from "../../locales/i18n";
import type { LimitDraft } from "./useLimitDraft";

/** Takes the last edit of a limit back: a drag on the scene, or the current pose, overwrites what was typed. */
export function UndoEdit({ form }: { form: LimitDraft }) {
  return (
    <p>
      <Button look="quiet" data-testid="undo-edit" disabled={form.undo === null} onClick={() => form.undo?.()}>
        <Undo2 aria-hidden="true" /> {t("limit_form.undo")}
      </Button>
    </p>
  );
}
