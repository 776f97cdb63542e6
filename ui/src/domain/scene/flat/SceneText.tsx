import { useEffect, useRef, useState } from "react";
import { t } from "../../../locales/i18n";
import type { SceneModel } from "./scene-model";
import { sceneSentences } from "./twin";
import styles from "./SceneText.module.css";

/** Text that changes faster than this cannot be read (U-1107). */
const EVERY_MS = 1_000;

/** The text twin of the scene, once a second and not announced; without `shown` for those alone who cannot see it. */
export function SceneText({ model, shown: seen = true }: { model: SceneModel; shown?: boolean }) {
  const newest = useRef(model);
  const [shown, setShown] = useState(model);

  // Synchronises with the clock: the newest model is what the next second shows.
  useEffect(() => {
    newest.current = model;
  }, [model]);
  useEffect(() => {
    const timer = setInterval(() => setShown(newest.current), EVERY_MS);
    return () => clearInterval(timer);
  }, []);

  const sentences = sceneSentences(shown);
  return (
    <ul className={seen ? styles.text : "visually-hidden"} aria-label={t("world.scene_text")}>
      {sentences.length === 0 && <li>{t("world.scene_empty")}</li>}
      {/* By its place: a line that changes stays the same element, and whoever reads it keeps the place. */}
      {sentences.map((sentence, place) => (
        <li key={place}>{sentence}</li>
      ))}
    </ul>
  );
}
