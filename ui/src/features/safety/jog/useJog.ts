// One hand on one actuator: which direction it holds, and everything that counts as letting go.

import { useEffect, useRef, useState } from "react";
import { operation } from "../../../host/operations";
import { useStation } from "../../../domain/station/station-context";
import type { Direction, JogVelocity } from "./directions";
import { Jogger } from "./jogger";

/** `told` is why the station ended the last run. */
export type Jog = {
  held: Direction | null;
  told: string | null;
  hold: (direction: Direction, velocity: JogVelocity) => void;
  letGo: () => void;
};

/** Ends with the window losing focus or sight, and with the component. */
export function useJog(robot: string, actuator: string): Jog {
  const { host } = useStation();
  const [held, setHeld] = useState<Direction | null>(null);
  const [told, setTold] = useState<string | null>(null);
  const jogger = useRef<Jogger | null>(null);

  // Synchronises with the robot: whatever takes the hand, the window or the pad away says zero.
  useEffect(() => {
    const run = new Jogger(
      (velocity) => operation(host, "jog", { robot, actuator, ...velocity }),
      (why) => {
        setHeld(null);
        setTold(why);
      },
    );
    jogger.current = run;
    const letGo = () => {
      run.letGo();
      setHeld(null);
    };
    window.addEventListener("blur", letGo);
    document.addEventListener("visibilitychange", letGo);
    return () => {
      window.removeEventListener("blur", letGo);
      document.removeEventListener("visibilitychange", letGo);
      run.letGo();
    };
  }, [host, robot, actuator]);

  return {
    held,
    told,
    hold: (direction, velocity) => {
      setTold(null);
      setHeld(direction);
      jogger.current?.hold(velocity);
    },
    letGo: () => {
      setHeld(null);
      jogger.current?.letGo();
    },
  };
}
