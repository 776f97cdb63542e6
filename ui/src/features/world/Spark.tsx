import { useQuery } from "@tanstack/react-query";
import type { WorldRow } from "../../generated/bindings/WorldRow";
import { aboutAgent, operation } from "../../host/operations";
import { recentPoints } from "../../domain/world/history-points";
import { useTimeOfDay } from "../../domain/station/useTicked";
import { Sparkline } from "../../design/chart/Sparkline";
import { useStation } from "../../domain/station/station-context";
import { useLive } from "../../domain/station/useLive";
import { t } from "../../locales/i18n";

/** Span of the chart, milliseconds. */
const SPAN_MS = 5 * 60_000;
/** More than a cell has pixels. */
const POINTS_MAX = 128;
/** Moved on this often: a step of it is a few pixels. A new value is drawn at once. */
const REDRAW_MS = 10_000;

/** The last five minutes of a key: what the station kept, and from then on what it pushed. */
export function Spark({ row }: { row: WorldRow }) {
  const { host } = useStation();
  const agent = useLive((store) => store.agent);
  const history = useQuery({
    // No tag outdates it: what comes later is pushed.
    queryKey: ["spark", agent, row.key],
    // Rows of the agent that was shown before stay for a moment: the new one may not know their keys.
    enabled: row.signal === `world/${agent}/${row.key}`,
    queryFn: ({ signal }) =>
      operation(
        host,
        "world_history",
        aboutAgent("world_history", { key: row.key, max_points: POINTS_MAX }, agent),
        signal,
      ),
  });
  const pushed = useLive((store) => store.series(row.signal));
  const now_mono_ms = useLive(({ time }) =>
    time.now_ms === null ? null : Math.floor(time.now_ms / REDRAW_MS) * REDRAW_MS,
  );
  // Stored times are times of day, pushed ones count from the station's start: each is compared with its own.
  const now_wall_ms = useTimeOfDay(REDRAW_MS);
  if (now_mono_ms === null) return null;
  const points = recentPoints(history.data ?? [], pushed, now_mono_ms, now_wall_ms);
  return <Sparkline points={points} from_ms={-SPAN_MS} to_ms={0} name={t("world.spark", { key: row.key })} />;
}
