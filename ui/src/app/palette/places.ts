// Screens and parts of them, and further words that each is found by.

import type { ShortcutId } from "../../design/shortcuts/shortcuts";
import { t } from "../../locales/i18n";

/** A place of the window. */
export type Place = { to: string; text: string; about: string; words: string; keys: ShortcutId | "" };

function screen(to: string, text: string, words: string, keys: Place["keys"] = ""): Place {
  return { to, text, about: "", words, keys };
}

function part(to: string, text: string, about: string, words: string): Place {
  return { to, text, about, words, keys: "" };
}

/** Screens in the order of the rail, then parts of them. */
export function places(): readonly Place[] {
  return [
    screen("/overview", t("nav.overview"), t("palette_words.overview"), "go_overview"),
    screen("/missions", t("nav.missions"), t("palette_words.missions"), "go_missions"),
    screen("/world", t("nav.world"), t("palette_words.world"), "go_world"),
    screen("/approvals", t("nav.approvals"), t("palette_words.approvals"), "go_approvals"),
    screen("/alarms", t("nav.alarms"), t("palette_words.alarms"), "go_alarms"),
    screen("/beliefs", t("nav.beliefs"), t("palette_words.beliefs"), "go_beliefs"),
    screen("/memory", t("nav.memory"), t("palette_words.memory")),
    screen("/jobs", t("nav.jobs"), t("palette_words.jobs")),
    screen("/safety", t("nav.safety"), t("palette_words.safety"), "go_safety"),
    screen("/admin", t("nav.admin"), t("palette_words.admin"), "go_admin"),
    part("/world/cameras", t("camera.title"), t("nav.world"), t("palette_words.cameras")),
    part("/world/plot", t("plot.title"), t("nav.world"), t("palette_words.plot")),
    part("/world/topics", t("world.view_topics"), t("nav.world"), "zenoh"),
    part("/world/providers", t("world.view_providers"), t("nav.world"), t("palette_words.contexts")),
    part("/alarms/rules", t("alarms.rules"), t("nav.alarms"), ""),
    part("/alarms/events", t("alarms.events"), t("nav.alarms"), ""),
    part("/alarms/figures", t("alarms.figures"), t("nav.alarms"), ""),
    part("/admin/providers", t("palette.models"), t("nav.admin"), t("palette_words.models")),
    part("/admin/keys", t("settings.keys"), t("nav.admin"), t("palette_words.keys")),
    part("/admin/agents", t("settings.agents"), t("nav.admin"), t("palette_words.agents")),
    part("/admin/tools", t("settings.tools"), t("nav.admin"), "mcp"),
    part("/admin/budget", t("settings.budget"), t("nav.admin"), t("palette_words.budget")),
    part("/admin/simulator", t("settings.simulator"), t("nav.admin"), t("palette_words.simulator")),
    part("/stations", t("stations.another"), t("nav.admin"), t("palette_words.stations")),
    part("/admin/about", t("settings.about"), t("nav.admin"), t("palette_words.about")),
    part("/admin/appearance", t("settings.appearance"), t("nav.admin"), t("palette_words.appearance")),
    part("/admin/shortcuts", t("settings.shortcuts"), t("nav.admin"), t("palette_words.shortcuts")),
  ];
}
