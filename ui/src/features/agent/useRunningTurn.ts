import { useLive } from "../../domain/station/useLive";

/** The turn that runs in the shown conversation; `answered` is what the station said of it when it was asked last. */
export function useRunningTurn(answered: string | null): string | null {
  const live = useLive((store) => store.turn);
  if (live !== null && !live.ended) return live.turn;
  // A turn that is over by its events is not running, whatever an older answer says.
  return live?.turn === answered ? null : answered;
}
