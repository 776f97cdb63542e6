import {
  Cable,
  ExternalLink,
  FlaskConical,
  Info,
  Keyboard,
  KeyRound,
  type LucideIcon,
  MessageSquare,
  ScrollText,
  Server,
  SunMoon,
  Users,
  Wallet,
} from "lucide-react";

/** Sections of Admin in the order of the list beside them. */
export const SECTIONS = [
  "providers",
  "keys",
  "access",
  "connections",
  "agents",
  "tools",
  "budget",
  "audit",
  "simulator",
  "appearance",
  "shortcuts",
  "about",
] as const;

export type Section = (typeof SECTIONS)[number];

/** The sign beside the name of each. */
export const SECTION_ICONS: Readonly<Record<Section, LucideIcon>> = {
  providers: Server,
  keys: KeyRound,
  access: Users,
  connections: Cable,
  agents: MessageSquare,
  tools: ExternalLink,
  budget: Wallet,
  audit: ScrollText,
  simulator: FlaskConical,
  appearance: SunMoon,
  shortcuts: Keyboard,
  about: Info,
};
