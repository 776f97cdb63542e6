import { Button } from "../components/Button";
import { t } from "../../locales/i18n";

/** Rows that wait until the hand is away from a list, and the way to see them at once: one may be a cause of a stop. */
export function Behind({ count, onLetIn }: { count: number; onLetIn: () => void }) {
  if (count === 0) return null;
  return (
    <Button look="quiet" data-testid="let-in" onClick={onLetIn}>
      {t("approvals.behind", { count })}
    </Button>
  );
}
