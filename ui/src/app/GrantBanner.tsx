import { Link } from "wouter";
import { useLive } from "../domain/station/useLive";
import { t } from "../locales/i18n";
import { untilText } from "../domain/station/grants";
import styles from "./Banner.module.css";

/** Robots that may move without a complete set of limits: it stands on every screen while that lasts. */
export function GrantBanner() {
  const safety = useLive((store) => store.safety);
  return [...safety.values()].map(({ robot, unconstrained_until_mono_ms }) => (
    <Granted key={robot} robot={robot} until_mono_ms={unconstrained_until_mono_ms} />
  ));
}

function Granted({ robot, until_mono_ms }: { robot: string; until_mono_ms: number | null }) {
  const left = useLive(({ time }) => untilText(until_mono_ms, time.now_ms));
  if (left === null) return null;
  return (
    <p className={styles.banner} data-testid={`granted-${robot}`}>
      <strong>{t("unconstrained.in_force", { robot, left })}</strong>{" "}
      <Link href={`/safety/${robot}`}>{t("unconstrained.show", { robot })}</Link>
    </p>
  );
}
