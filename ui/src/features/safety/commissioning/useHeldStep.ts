// One hand on one step: whether it is held, and everything that counts as letting go.

import { useEffect, useRef, useState } from "react";
import type { CommissioningRow } from "../../../generated/bindings/CommissioningRow";
import type { CommissioningStep } from "../../../generated/bindings/CommissioningStep";
import { useStation } from "../../../domain/station/station-context";
import { operation } from "../../../host/operations";
import { StepHolder } from "./holder";

/** `told` is why the station ended the last hold. */
export type HeldStep = { held: boolean; told: string | null; hold: () => void; letGo: () => void };

/** Ends with the window losing focus or sight, and with the component. */
export function useHeldStep(robot: string, step: CommissioningStep, onRow: (row: CommissioningRow) => void): HeldStep {
  const { host } = useStation();
  const [held, setHeld] = useState(false);
  const [told, setTold] = useState<string | null>(null);
  const holder = useRef<StepHolder | null>(null);
  const rows = useRef(onRow);

  // Synchronises with the caller: the hand outlives a render, and its answers go to the newest.
  useEffect(() => {
    rows.current = onRow;
  }, [onRow]);

  // Synchronises with the robot: whatever takes the hand, the window or the button away lets go.
  useEffect(() => {
    const hand = new StepHolder(
      {
        robot,
        run: () => operation(host, "run_commissioning_step", { robot, step }),
        letGo: () => operation(host, "let_go_commissioning_step", { robot }),
      },
      (row) => rows.current(row),
      (why) => {
        setHeld(false);
        setTold(why);
      },
    );
    holder.current = hand;
    const letGo = () => {
      hand.letGo();
      setHeld(false);
    };
    window.addEventListener("blur", letGo);
    document.addEventListener("visibilitychange", letGo);
    return () => {
      window.removeEventListener("blur", letGo);
      document.removeEventListener("visibilitychange", letGo);
      hand.letGo();
    };
  }, [host, robot, step]);

  return {
    held,
    told,
    hold: () => {
      setTold(null);
      setHeld(true);
      holder.current?.hold();
    },
    letGo: () => {
      setHeld(false);
      holder.current?.letGo();
    },
  };
}
