import { CircleOff } from "lucide-react";
import { Button } from "../../design/components/Button";
import { InboxItem } from "../../design/components/InboxItem";
import { Refusal } from "../../design/components/Refusal";
import { useCommandRefusal } from "../../domain/station/useCommandRefusal";
import { useLive } from "../../domain/station/useLive";
import { useOperation } from "../../domain/station/useOperation";
import { t } from "../../locales/i18n";

/** The simulator is gone, and its robots with it: starting it brings them back. */
export function SimulatorEnded() {
  const start = useOperation("start_simulator");
  const starting = useLive((store) => store.session?.simulator === "starting") || start.pending;
  const refusal = useCommandRefusal();
  return (
    <InboxItem
      symbol={<CircleOff />}
      title={t("overview.simulator_ended")}
      act={
        <Button
          size="row"
          data-testid="restart-simulator"
          disabled={starting || refusal !== null}
          onClick={() => start.run({})}
        >
          {starting ? t("overview.starting_short") : t("overview.start_again")}
        </Button>
      }
    >
      {refusal ?? t("overview.simulator_ended_detail")}
      <Refusal error={start.error} />
    </InboxItem>
  );
}
