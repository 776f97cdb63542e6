/** The missions that come with the station and that a new one may begin with, by the key of their name. */
export const TEMPLATES = {
  patrol: "security-patrol",
  dog: "dog-monitor",
  weld: "run-welding-task",
  filters: "maintenance-check",
  home: "childproof-home",
} as const;

/** The key of a template. */
export type Template = keyof typeof TEMPLATES;
