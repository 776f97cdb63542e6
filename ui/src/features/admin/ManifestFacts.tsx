import type { ManifestMeaning } from "../../generated/bindings/ManifestMeaning";
import { Notice } from "../../design/components/Notice";
import { exactText } from "../../design/fields/decimal";
import { formatQuantity } from "../../design/format/numbers";
import { behaviourOf } from "../../domain/stop/stop-behaviour";
import { t } from "../../locales/i18n";
import about from "./AboutSection.module.css";

/** Meaning of a manifest in words, before its robot is added. */
export function ManifestFacts({ meaning }: { meaning: ManifestMeaning }) {
  const { words, category } = behaviourOf(meaning.stop_behaviour);
  const facts: [string, string][] = [
    [t("connections.robot"), `${meaning.site} / ${meaning.robot}`],
    [t("add_robot.moves"), meaning.actuators.map(({ id, kind }) => `${id} (${t(`actuator_kind.${kind}`)})`).join(", ")],
    [t("add_robot.at_most"), atMost(meaning)],
    [t("add_robot.stays_in"), staysIn(meaning)],
    [
      t("add_robot.body"),
      t("add_robot.body_is", {
        radius: formatQuantity(meaning.body_radius_m, 2, "m"),
        error: formatQuantity(meaning.localisation_error_m, 2, "m"),
      }),
    ],
    [t("safety.stop_behaviour"), `${words} (${category})`],
    [t("safety.hardware_estop"), meaning.hardware_estop],
    [t("add_robot.reports_on"), meaning.state_keys.join("\n")],
  ];
  return (
    <div data-testid="manifest-facts">
      <dl className={about.facts}>
        {facts.map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text === "" ? t("about.none") : text}</dd>
          </div>
        ))}
      </dl>
      {meaning.gate === "none" && <Notice title={t("add_robot.no_gate")} detail={t("add_robot.no_gate_detail")} />}
      {meaning.supervision === "unattended" && (
        <Notice title={t("add_robot.unattended")} detail={t("add_robot.unattended_detail")} />
      )}
    </div>
  );
}

function atMost({ speed_mps_max, angular_radps_max, acceleration_mps2_max, force_n_max }: ManifestMeaning): string {
  const limits = [
    formatQuantity(speed_mps_max, 2, "m/s"),
    formatQuantity(angular_radps_max, 2, "rad/s"),
    formatQuantity(acceleration_mps2_max, 2, "m/s²"),
  ];
  if (force_n_max !== null) limits.push(formatQuantity(force_n_max, 0, "N"));
  return limits.join(", ");
}

function staysIn({ workspace_m, default_frame }: ManifestMeaning): string {
  if (workspace_m === null) return "";
  // Every digit that the manifest has: a space that is rounded outward is larger than the one that is confirmed.
  const [x, y, z] = workspace_m.map(([min, max]) => `${exactText(min)}…${exactText(max)} m`);
  return t("add_robot.box", { frame: default_frame, x: x ?? "", y: y ?? "", z: z ?? "" });
}
