// Acts of the palette: none that a hold, a reason or a question guards where it stands.

import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useLocation } from "wouter";
import { say } from "../../design/components/toast-queue";
import { refusalText } from "../../design/fields/refusal";
import { useStation } from "../../domain/station/station-context";
import { type HostError, toHostError } from "../../host/host";
import { operation } from "../../host/operations";
import { openStopSheet } from "../../host/stop-sheet";
import { t } from "../../locales/i18n";
import type { Does } from "./palette-entries";

/** `error` is the station's refusal of the last act; `pending` lasts until it has answered. */
export type PaletteActs = { choose: (does: Does) => void; pending: boolean; error: HostError | null };

/** One act on its way to the station, and the sentence that says it is done. */
type Act = { send: () => Promise<unknown>; done: string };

/** Opens a place at once; an act closes the palette when the station has answered, and says what was done. */
export function usePaletteActs(onClose: () => void): PaletteActs {
  const [, navigate] = useLocation();
  const { host } = useStation();
  const isOpen = useIsMounted();
  const act = useMutation({
    mutationFn: ({ send }: Act) => send(),
    onSuccess: (_, { done }) => {
      if (isOpen.current) onClose();
      say({ text: done });
    },
    onError: (thrown) => {
      // Closed before the answer: a robot that does not hold must not look as if it did.
      if (!isOpen.current) say({ text: refusalText(toHostError(thrown)), isRefusal: true });
    },
  });
  const choose = (does: Does) => {
    if ("open" in does) {
      onClose();
      navigate(does.open);
    } else if ("stop_sheet" in does) {
      onClose();
      openStopSheet();
    } else if (!act.isPending) {
      act.mutate(actOf(does));
    }
  };
  const actOf = (does: Exclude<Does, { open: string } | { stop_sheet: true }>): Act => {
    if ("take_control" in does) {
      const robot = does.take_control;
      return { send: () => operation(host, "take_control", { robot }), done: t("palette.took", { robot }) };
    }
    if ("hold" in does) {
      const robot = does.hold;
      return { send: () => operation(host, "hold_robot", { robot }), done: t("palette.held", { robot }) };
    }
    return { send: () => operation(host, "start_simulator", {}), done: t("palette.simulator_started") };
  };
  return { choose, pending: act.isPending, error: act.error === null ? null : toHostError(act.error) };
}

function useIsMounted() {
  const mounted = useRef(false);

  // Synchronises with the palette's place on the screen.
  useEffect(() => {
    mounted.current = true;
    return () => {
      mounted.current = false;
    };
  }, []);

  return mounted;
}
