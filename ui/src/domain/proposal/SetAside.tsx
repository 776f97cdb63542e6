import { Button } from "../../design/components/Button";
import { Refusal } from "../../design/components/Refusal";
import { useCommandRefusal } from "../station/useCommandRefusal";
import { t } from "../../locales/i18n";
import type { Aside } from "./useSetAside";

/** Takes what the agent has read out of its view (P-21a). The turn that runs ends. */
export function SetAside({ session, aside }: { session: string; aside: Aside }) {
  const refusal = useCommandRefusal();
  return (
    <>
      <Button
        look="quiet"
        data-testid="set-aside"
        disabled={refusal !== null || aside.pending}
        onClick={() => aside.run(session)}
      >
        {t("agent.set_aside")}
      </Button>
      <Refusal error={aside.error} />
    </>
  );
}
