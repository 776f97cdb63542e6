import { useEffect, useState, useSyncExternalStore } from "react";
import type { Host } from "../host/host";
import type { LiveStore } from "../host/live-store";
import { StopButton } from "./StopButton";
import { StopPanel } from "./StopPanel";
import { useStopKeys } from "./useStopKeys";
import { useStopPress } from "./useStopPress";
import { useStopView } from "./useStopView";

/** STOP ALL: a root of its own, so that no failing view takes it along (U-209). */
export function StopRoot({ host, store }: { host: Host; store: LiveStore }) {
  const newest = useSyncExternalStore(store.subscribe, () => store.stops.find(({ open }) => open)?.stop_id ?? null);
  const { press, stop } = useStopPress(host);
  const view = useStopView(store, press);
  const [shown, setShown] = useState(false);

  // Synchronises with the station: a stop from anywhere, also one found at start, opens the panel.
  useEffect(() => setShown(newest !== null), [newest]);

  const stopAndShow = () => {
    setShown(true);
    stop();
  };
  useStopKeys(stopAndShow);

  return (
    <div data-react-aria-top-layer="true" data-region="stop">
      <StopButton view={view} place="bar" onStop={stopAndShow} />
      {shown && view.state !== "rest" && <StopPanel host={host} store={store} view={view} onClose={() => setShown(false)} />}
    </div>
  );
}
