// The words of a mission in the graph and the list, from what the station says of it.

import type { MissionNode } from "../../../generated/bindings/MissionNode";
import { formatWhen } from "../../../design/format/time";
import { goalText } from "../../../domain/mission/goal-phrase";
import { problemWords } from "../../../domain/mission/problem-words";
import { t } from "../../../locales/i18n";
import { reasonSaid } from "../mission-reason";
import { wordOf } from "../mission-state";

/** The one sentence of a node: what it does, or why it does nothing. */
export function sentenceOf({ state, goal, reason, error, activated_at, problems, waits }: MissionNode): string {
  if (reason !== null)
    return reasonSaid(
      reason,
      waits.map(({ mission }) => mission),
    ).text;
  if (goal !== null) return t("mission_node.running", { goal: goalText(goal.phrase, goal.text) });
  const first = problems.find(({ severity }) => severity === "error");
  const broken = first ? problemWords(first).short : error;
  if (state === "draft" && broken !== null) return broken;
  if (state === "draft" && waits.length === 0) return t("mission_node.draft");
  if (state === "draft")
    return t("mission_node.draft_after", { missions: waits.map(({ mission }) => mission).join(", ") });
  if (activated_at !== null && state === "active")
    return t("mission_node.active_since", { when: formatWhen(activated_at * 1_000) });
  return t(`mission_node.${state}`);
}

/** The robots that it may command, its next run, and the limits that it adds. */
export function footOf({ robots, limits, starts_at, expires_at }: MissionNode): string {
  const parts = [robots.length === 0 ? t("missions.no_robots") : robots.join(", ")];
  if (starts_at !== null) parts.push(t("mission_node.next_run", { when: formatWhen(starts_at * 1_000) }));
  if (limits > 0) parts.push(t("mission_node.limits", { count: limits }));
  if (expires_at !== null) parts.push(t("mission_node.ends", { when: formatWhen(expires_at * 1_000) }));
  return parts.join(" · ");
}

/** Its progress in a word or two. */
export function stageOf({ state, goal, goals, goals_done }: MissionNode): string {
  if (goal !== null) return t("mission_node.goal_of", { number: goal.number, goals });
  if (state === "paused" && goals_done > 0) return t("mission_node.goals_done", { done: goals_done, goals });
  return wordOf(state);
}

/** A mission as it is spoken (ME-12). */
export function spokenOf(node: MissionNode): string {
  const { id, title, state, goal, goals, errors, warnings } = node;
  const parts = [`${title}, ${id}, ${wordOf(state)}: ${sentenceOf(node)}`];
  if (goal !== null) parts.push(t("mission_node.spoken_goal", { number: goal.number, goals }));
  if (errors > 0) parts.push(t("missions.errors", { count: errors }));
  if (warnings > 0) parts.push(t("missions.warnings", { count: warnings }));
  return parts.join(", ");
}
