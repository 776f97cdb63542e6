import type { ReactNode } from "react";
import { DropHint } from "../../design/components/DropHint";
import { useFileDrop } from "../../design/components/useFileDrop";
import screen from "../../design/layout/screen.module.css";
import { t } from "../../locales/i18n";
import styles from "./Missions.module.css";

/** A place that takes files from the desktop. What else is dragged passes through it. */
export function MissionDrop({ onFiles, children }: { onFiles: (files: readonly File[]) => void; children: ReactNode }) {
  const { over, handlers } = useFileDrop(onFiles);
  return (
    <div className={`${screen.screen} ${styles.missions}`} data-over={over} data-testid="mission-drop" {...handlers}>
      {children}
      {over && <DropHint text={t("missions.drop_here")} />}
    </div>
  );
}
