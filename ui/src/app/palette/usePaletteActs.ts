// Acts of the palette: none that a hold, a reason or a question guards where it stands.

import { useLocation } from "wouter";
import { say } from "../../design/components/toast-queue";
import { useOperation } from "../../domain/station/useOperation";
import type { HostError } from "../../host/host";
import { openStopSheet } from "../../host/stop-sheet";
import { t } from "../../locales/i18n";
import type { Does } from "./palette-entries";

/** `error` is the station's refusal of the last act. */
export type PaletteActs = { choose: (does: Does) => void; error: HostError | null };

/** Opens a place at once; an act closes the palette when the station has answered, and says what was done. */
export function usePaletteActs(onClose: () => void): PaletteActs {
  const [, navigate] = useLocation();
  const take = useOperation("take_control");
  const hold = useOperation("hold_robot");
  const start = useOperation("start_simulator");
  const calls = [take, hold, start];
  const done = (text: string) => () => {
    onClose();
    say({ text });
  };
  const choose = (does: Does) => {
    for (const call of calls) call.forget();
    if ("open" in does) {
      onClose();
      navigate(does.open);
    } else if ("stop_sheet" in does) {
      onClose();
      openStopSheet();
    } else if ("take_control" in does) {
      take.run({ robot: does.take_control }, done(t("palette.took", { robot: does.take_control })));
    } else if ("hold" in does) {
      hold.run({ robot: does.hold }, done(t("palette.held", { robot: does.hold })));
    } else {
      start.run({}, done(t("palette.simulator_started")));
    }
  };
  return { choose, error: calls.find(({ error }) => error !== null)?.error ?? null };
}
