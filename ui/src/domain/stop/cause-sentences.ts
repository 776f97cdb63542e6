// Sentences of causes in languages other than the station's. Compiled in, like everything that the stop shows.

import type { SafetyCause } from "../../generated/bindings/SafetyCause";
import { spoken } from "../../host/language";

const DE: Readonly<Record<SafetyCause, string>> = {
  beat_late: "Der Roboter antwortet verspätet.",
  beat_lost: "Der Roboter antwortet nicht mehr.",
  pose_stale: "Die Pose ist zu alt.",
  transform_stale: "Eine bewegte Transformation ist zu alt.",
  source_stale: "Eine Quelle des Roboterzustands schweigt.",
  sensor_frozen: "Die Pose ändert sich nicht, obwohl sie es sollte.",
  pose_implausible: "Die Pose ist weiter gesprungen, als er sich bewegen kann.",
  sensor_disagreement: "Zwei Quellen der Pose widersprechen sich.",
  breach_ahead: "Er könnte vor einer Grenze nicht mehr anhalten.",
  breach: "Der Roboter ist, wo er nicht sein darf.",
  over_speed: "Der Roboter bewegt sich schneller als erlaubt.",
  over_force: "Der Roboter drückt stärker als erlaubt.",
  unexpected_motion: "Der Roboter bewegt sich, ohne scharf zu sein.",
  lease_expired: "Wer die Bewegung steuert, antwortet nicht.",
  operator_absent: "Kein Bildschirm beaufsichtigt den Roboter.",
  validator_error: "Ein Befehl ließ sich nicht prüfen.",
  validator_slow: "Die Prüfung dauerte dreimal zu lange.",
  set_unreadable: "Eine Grenze ist nicht lesbar.",
  set_tampered: "Die Grenzen wurden außerhalb der Station geändert.",
  store_unavailable: "Der Speicher der Station ist nicht lesbar.",
  set_emptied: "Die Grenzen sind unvollständig.",
  audit_unavailable: "Das Audit ist nicht beschreibbar.",
  process_suspended: "Die Station selbst war angehalten.",
  unclean_restart: "Der letzte Lauf der Station brach ab.",
  stop_all: "STOP ALL wurde gedrückt.",
  stop_robot: "Der Roboter wurde gestoppt.",
  hold_requested: "Jemand hat den Roboter angehalten.",
  stop_unconfirmed: "Der Roboter hat einen Stopp nicht bestätigt.",
  epoch_conflict: "Eine andere Station beansprucht den Roboter.",
  robot_gate_fault: "Das Gate des Roboters ist ausgefallen oder neu gestartet.",
  identity_mismatch: "Der Roboter ist nicht der, der er sein sollte.",
  state_fault: "Der eigene Zustand der Station ist unmöglich.",
};

const SENTENCES: Readonly<Record<"en" | "de", Partial<Record<SafetyCause, string>>>> = { en: {}, de: DE };

/** The sentence of a cause in the window's language. */
export function causeSentence({ cause, sentence }: { cause: SafetyCause; sentence: string }): string {
  return spoken(SENTENCES)[cause] ?? sentence;
}
