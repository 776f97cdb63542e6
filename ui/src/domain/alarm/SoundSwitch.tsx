import { Volume2, VolumeX } from "lucide-react";
import { Button } from "../../design/components/Button";
import { t } from "../../locales/i18n";
import { playTone, setSoundOn, useSoundOn } from "./sound";
import styles from "./SoundSwitch.module.css";

/** Between two tones of the test. */
const APART_S = 1.2;

/** The sound of this desk: on, off, and how it sounds. */
export function SoundSwitch() {
  const on = useSoundOn();
  const Icon = on ? Volume2 : VolumeX;
  return (
    <span className={styles.sound}>
      <Button look="quiet" data-testid="alarm-sound" aria-pressed={on} onClick={() => setSoundOn(!on)}>
        <Icon aria-hidden="true" className={styles.icon ?? ""} />
        {t(on ? "alarms.sound_on" : "alarms.sound_off")}
      </Button>
      <Button look="quiet" onClick={playAll}>
        {t("alarms.sound_test")}
      </Button>
    </span>
  );
}

function playAll(): void {
  ([3, 2, 1] as const).forEach((priority, place) => playTone(priority, place * APART_S));
}
