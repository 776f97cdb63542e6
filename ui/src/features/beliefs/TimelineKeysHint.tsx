import { useHints } from "../../design/shortcuts/keys-in-force";
import type { ShortcutId } from "../../design/shortcuts/shortcuts";
import { t } from "../../locales/i18n";

/** The keys of a timeline, by what they do together. */
const LINES = [
  { text: "timeline.keys_marks", ids: ["mark_previous", "mark_next"] },
  { text: "timeline.keys_open", ids: ["mark_open"] },
  { text: "timeline.keys_zoom", ids: ["timeline_zoom_in", "timeline_zoom_out"] },
  { text: "timeline.keys_move", ids: ["timeline_pan_back", "timeline_pan_on"] },
  { text: "timeline.keys_all", ids: ["timeline_fit"] },
] as const satisfies readonly { text: string; ids: readonly ShortcutId[] }[];

/** The keys of a timeline in one line; those that are switched off are left out. */
export function TimelineKeysHint() {
  const hints = useHints();
  return LINES.flatMap(({ text, ids }) => {
    const keys = ids.map((id) => hints.of(id)).filter((key) => key !== "");
    return keys.length === 0 ? [] : [t(text, { keys: keys.join(" ") })];
  }).join(" · ");
}
