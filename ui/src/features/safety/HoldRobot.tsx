import { Button } from "../../design/components/Button";
import { Refusal } from "../../design/components/Refusal";
import { useLive } from "../../domain/station/useLive";
import { useOperation } from "../../domain/station/useOperation";
import { t } from "../../locales/i18n";

/**
 * Ends every motion of one robot. Like a stop it is anybody's, in every state; only a silent station cannot take it.
 */
export function HoldRobot({ robot }: { robot: string }) {
  const hold = useOperation("hold_robot");
  // No role and no lock: whoever sees a reason to hold may hold.
  const lost = useLive((store) => store.time.lost);
  return (
    <>
      <Refusal error={hold.error} />
      <Button
        data-testid={`hold-${robot}`}
        aria-label={t("safety.hold_name", { robot })}
        disabled={lost || hold.pending}
        title={lost ? t("refusal.station_lost") : undefined}
        onClick={() => hold.run({ robot })}
      >
        {hold.pending ? t("hold.sending") : t("safety.hold")}
      </Button>
    </>
  );
}
