import { type DragEvent, type ReactNode, useState } from "react";
import screen from "../../design/layout/screen.module.css";
import { t } from "../../locales/i18n";
import styles from "./Missions.module.css";

/** A place that takes files from the desktop. What else is dragged passes through it. */
export function MissionDrop({ onFiles, children }: { onFiles: (files: readonly File[]) => void; children: ReactNode }) {
  const [over, setOver] = useState(false);
  return (
    <div
      className={`${screen.screen} ${styles.missions}`}
      data-over={over}
      data-testid="mission-drop"
      onDragOver={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={(event) => {
        if (event.currentTarget === event.target) setOver(false);
      }}
      onDrop={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setOver(false);
        onFiles([...event.dataTransfer.files]);
      }}
    >
      {children}
      {over && (
        <p className={styles.dropHint} aria-hidden="true">
          {t("missions.drop_here")}
        </p>
      )}
    </div>
  );
}

function hasFiles(event: DragEvent): boolean {
  return event.dataTransfer.types.includes("Files");
}
