import { Button } from "../../design/components/Button";
import { t } from "../../locales/i18n";
import { CompareDialog } from "./CompareDialog";
import type { OpenConflict } from "./graph/useConflict";

/** A step of the history, or an edit of the form, that stopped before a text that nobody here had seen. */
export function ConflictDialog({ conflict }: { conflict: OpenConflict }) {
  const { open, close, pending } = conflict;
  if (open === null) return null;
  const file = `${open.id}.md`;
  const shared = { title: t("missions.compare_title", { file }), testId: "mission-conflict", onClose: close };
  const now = { label: t("missions.file_now"), text: open.now.source };
  if (open.change === null) {
    return (
      <CompareDialog
        {...shared}
        detail={t("missions.conflict_edit")}
        before={{ label: t("missions.file_seen"), text: open.mine }}
        after={now}
        acts={
          <Button look="primary" onClick={close}>
            {t("common.close")}
          </Button>
        }
      />
    );
  }
  return (
    <CompareDialog
      {...shared}
      detail={t("missions.conflict_step")}
      before={now}
      after={{ label: t("missions.my_text"), text: open.mine }}
      error={conflict.error}
      acts={
        <>
          <Button onClick={close}>{t("missions.decide_later")}</Button>
          <Button data-testid="conflict-keep-now" disabled={pending} onClick={conflict.keepNow}>
            {t("missions.keep_now")}
          </Button>
          <Button data-testid="conflict-put-mine" disabled={pending} onClick={conflict.putMine}>
            {pending ? t("hold.sending") : t("missions.put_mine")}
          </Button>
        </>
      }
    />
  );
}
