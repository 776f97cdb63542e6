import { useEffect, useState, useSyncExternalStore } from "react";
import { type Host, toHostError } from "../host/host";
import type { LiveStore } from "../host/live-store";
import { operation } from "../host/operations";
import { requestId } from "../host/request-id";
import { StopButton } from "./StopButton";
import { StopKeys } from "./stop-keys";
import { StopPanel } from "./StopPanel";
import { type Press, viewStop } from "./stop-view";

/** The station answers within 1 s even if the latch cannot be saved; after this it is not there. */
const ANSWER_MS_MAX = 3_000;

/** STOP ALL: a root of its own, so that no failing view takes it along (U-209). */
export function StopRoot({ host, store }: { host: Host; store: LiveStore }) {
  const stops = useSyncExternalStore(store.subscribe, () => store.stops);
  const links = useSyncExternalStore(store.subscribe, () => store.links);
  const lost = useSyncExternalStore(store.subscribe, () => store.time.lost || !store.connected);
  const [press, setPress] = useState<Press>({ state: "none" });
  const [shown, setShown] = useState(false);
  const newest = stops.find(({ open }) => open)?.stop_id ?? null;

  // Synchronises with the station: a stop from anywhere, also one found at start, opens the panel.
  useEffect(() => setShown(newest !== null), [newest]);

  const stop = () => {
    setPress({ state: "sending" });
    setShown(true);
    operation(host, "stop_all", { request_id: requestId() }, AbortSignal.timeout(ANSWER_MS_MAX)).then(
      () => setPress({ state: "none" }),
      (thrown: unknown) => setPress({ state: "failed", sentence: toHostError(thrown).message }),
    );
  };

  // Synchronises with the keyboard: captured at the window, before text fields and dialogs.
  useEffect(() => {
    const keys = new StopKeys();
    const onKeyDown = (event: KeyboardEvent) => {
      const outcome = keys.press(event, performance.now());
      if (outcome === "ignored") return;
      event.preventDefault();
      event.stopImmediatePropagation();
      if (outcome === "stops") stop();
    };
    window.addEventListener("keydown", onKeyDown, { capture: true });
    return () => window.removeEventListener("keydown", onKeyDown, { capture: true });
  });

  const view = viewStop(stops, press, links, lost);
  return (
    <div data-react-aria-top-layer="true" data-region="stop">
      <StopButton view={view} onStop={stop} />
      {shown && view.state !== "rest" && <StopPanel host={host} store={store} view={view} onClose={() => setShown(false)} />}
    </div>
  );
}
