import { secondsLeft } from "../../design/format/time";
import { useLive } from "../station/useLive";
import { t } from "../../locales/i18n";

/** Times left at which the countdown is also spoken, seconds (U-1214). */
const SPOKEN_S: ReadonlySet<number> = new Set([30, 10]);

/** "in 42 s → will be rejected". */
export function Countdown({ expires_mono_ms }: { expires_mono_ms: number }) {
  const seconds = useLive((store) =>
    store.time.now_ms === null ? null : secondsLeft(expires_mono_ms, store.time.now_ms),
  );
  // Before the first frame nobody knows the time of the station, and a guess could read as "over".
  if (seconds === null) return null;
  const text = t("proposal.expires", { seconds });
  return (
    <>
      <span>{text}</span>
      <span className="visually-hidden" role="status">
        {SPOKEN_S.has(seconds) ? text : ""}
      </span>
    </>
  );
}
