// The list in a flood: alarms of one place stand behind the first of them (AL-09). The station says which belong
// together.

import type { AlarmRow } from "../../generated/bindings/AlarmRow";
import type { AlarmState } from "../../generated/bindings/AlarmState";
import type { Group } from "../../generated/bindings/Group";
import { callsForSomebody } from "../../domain/alarm/alarm-state";

/** A line of the list. */
export type Item =
  | { kind: "alarm"; alarm: AlarmRow; inGroup: boolean }
  | { kind: "group"; group: Group; first: AlarmRow; state: AlarmState; open: boolean };

/**
 * The lines to show. A closed group is one line, where its worst alarm would stand; no alarm is left out of an open
 * one.
 */
export function itemsOf(alarms: readonly AlarmRow[], open: ReadonlySet<string>): Item[] {
  const listed = new Set<string>();
  return alarms.flatMap((alarm): Item[] => {
    const { group } = alarm;
    if (group === null) return [{ kind: "alarm", alarm, inGroup: false }];
    if (listed.has(group.first_out)) return [];
    listed.add(group.first_out);
    const members = alarms.filter((other) => other.group?.first_out === group.first_out);
    const first = members.find(({ id }) => id === group.first_out) ?? alarm;
    const isOpen = open.has(group.first_out);
    // A closed group hides the marks of its alarms: if one of them calls for somebody, the group does.
    const { state } = members.find(callsForSomebody) ?? first;
    const behind = isOpen ? members.map((member): Item => ({ kind: "alarm", alarm: member, inGroup: true })) : [];
    return [{ kind: "group", group, first, state, open: isOpen }, ...behind];
  });
}

/** The alarms whose own line is on the screen. */
export function visibleAlarms(items: readonly Item[]): AlarmRow[] {
  return items.flatMap((item) => (item.kind === "alarm" ? [item.alarm] : []));
}
