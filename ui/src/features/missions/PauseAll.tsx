import { Button } from "../../design/components/Button";
import { Refusal } from "../../design/components/Refusal";
import { useCommandRefusal } from "../../domain/station/useCommandRefusal";
import { useOperation } from "../../domain/station/useOperation";
import { t } from "../../locales/i18n";

/** Pauses everything that is active. It stops no robot: that is what STOP ALL does. */
export function PauseAll({ active }: { active: number }) {
  const pause = useOperation("pause_all_missions");
  const refusal = useCommandRefusal();
  return (
    <>
      <Refusal error={pause.error} />
      <Button
        data-testid="pause-all"
        title={refusal ?? undefined}
        disabled={refusal !== null || pause.pending || active === 0}
        onClick={() => pause.run({})}
      >
        {pause.pending ? t("hold.sending") : t("missions.pause_all", { active })}
      </Button>
    </>
  );
}
