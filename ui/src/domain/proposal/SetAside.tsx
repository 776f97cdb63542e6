import { useState } from "react";
import { Button } from "../../design/components/Button";
import { Refusal } from "../../design/components/Refusal";
import { useCommandRefusal } from "../station/useCommandRefusal";
import { useOperation } from "../station/useOperation";
import { t } from "../../locales/i18n";

/** Takes what the agent has read out of its view (P-21a), and says what that was. The turn that runs ends. */
export function SetAside({ session }: { session: string }) {
  const aside = useOperation("set_aside_untrusted");
  const refusal = useCommandRefusal();
  const [told, setTold] = useState("");
  return (
    <>
      <Button
        look="quiet"
        data-testid="set-aside"
        disabled={refusal !== null || aside.pending}
        onClick={() =>
          aside.run({ session }, ({ readings }) =>
            setTold(
              t("agent.aside_done", {
                count: readings.length,
                origins: [...new Set(readings.map(({ origin }) => origin))].join(", "),
              }),
            ),
          )
        }
      >
        {t("agent.set_aside")}
      </Button>
      <span role="status">{told}</span>
      <Refusal error={aside.error} />
    </>
  );
}
