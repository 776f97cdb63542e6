import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import type { Host } from "../host/host";
import type { LiveStore } from "../host/live-store";
import { heldBy, isNews } from "../domain/stop/open-stops";
import { useLanguage } from "../host/language";
import { onStopSheetAsked } from "../host/stop-sheet";
import { StopButton } from "./StopButton";
import { StopPanel } from "./StopPanel";
import { useStopKeys } from "./useStopKeys";
import { useStopPress } from "./useStopPress";
import { useStopView } from "./useStopView";

/** STOP ALL: a root of its own, so that no failing view takes it along (U-209). */
export function StopRoot({ host, store }: { host: Host; store: LiveStore }) {
  const held = useSyncExternalStore(store.subscribe, () => heldBy(store.stops));
  const { press, stop } = useStopPress(host, store);
  const view = useStopView(store, press);
  // Another language makes button and panel anew; a press, and what became of it, stays.
  const language = useLanguage();
  const [shown, setShown] = useState(false);
  const panel = useRef<HTMLElement>(null);
  const cameFrom = useRef<Element | null>(null);

  // Synchronises with the station: a stop from anywhere, also one found at start, opens the panel. One that only
  // follows another, as the station's own does where a robot confirms nothing, brings back no panel that somebody left.
  const before = useRef<string | null>(null);
  useEffect(() => {
    const news = held !== null && isNews(before.current, held);
    before.current = held;
    // With the last release the sheet goes, and the focus in it would go to nobody.
    if (held === null && document.activeElement === document.body) focusOn(cameFrom.current);
    setShown((shown) => held !== null && (shown || news));
  }, [held]);

  // Synchronises with the shell: a stop by its global key that does not arrive is shown too.
  const is_undelivered = view.state === "undelivered";
  useEffect(() => {
    if (is_undelivered) setShown(true);
  }, [is_undelivered]);

  // Synchronises with the screens: whoever asks for the panel wants to use it, so the focus goes there.
  useEffect(
    () =>
      onStopSheetAsked(() => {
        cameFrom.current = document.activeElement;
        setShown(true);
        // The sheet is there only after the next render.
        requestAnimationFrame(() => panel.current?.focus());
      }),
    [],
  );

  const stopAndShow = () => {
    setShown(true);
    stop();
  };
  useStopKeys(stopAndShow);

  const close = () => {
    const inside = panel.current?.contains(document.activeElement) === true;
    setShown(false);
    // The focus goes back to where it came from, or to the button that is always there.
    if (inside) focusOn(cameFrom.current);
    cameFrom.current = null;
  };

  return (
    <div data-react-aria-top-layer="true" data-region="stop">
      <StopButton key={language} view={view} place="bar" onStop={stopAndShow} />
      {shown && view.state !== "rest" && (
        <StopPanel key={`panel ${language}`} ref={panel} host={host} store={store} view={view} onClose={close} />
      )}
    </div>
  );
}

function focusOn(element: Element | null): void {
  const target =
    element instanceof HTMLElement && element.isConnected
      ? element
      : document.querySelector<HTMLElement>("[data-region=main]");
  target?.focus();
}
