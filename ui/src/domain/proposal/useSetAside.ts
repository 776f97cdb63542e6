import { useState } from "react";
import type { HostError } from "../../host/host";
import { useOperation } from "../station/useOperation";
import { t } from "../../locales/i18n";

/** Setting aside what an agent has read: the call, and what was set aside last. */
export type Aside = { run: (session: string) => void; pending: boolean; error: HostError | null; told: string };

/** For what stays where the button was: it goes as soon as nothing is left to set aside, before the answer comes. */
export function useSetAside(): Aside {
  const call = useOperation("set_aside_untrusted");
  const [told, setTold] = useState("");
  const run = (session: string) => {
    // The answer about the turn before must not stand while this one is on its way.
    setTold("");
    call.run({ session }, ({ readings }) =>
      setTold(
        t("agent.aside_done", {
          count: readings.length,
          origins: [...new Set(readings.map(({ origin }) => origin))].join(", "),
        }),
      ),
    );
  };
  return { run, pending: call.pending, error: call.error, told };
}
