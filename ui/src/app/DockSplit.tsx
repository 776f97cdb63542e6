import { type ReactNode, useSyncExternalStore } from "react";
import { Group, Panel, Separator, useDefaultLayout } from "react-resizable-panels";
import { isSlim } from "../design/layout/media";
import { countResets, memoryOf, onReset, SIZES } from "../design/layout/split-memory";
import split from "../design/layout/Split.module.css";
import { STEP_PX, useSeparatorKeys } from "../design/layout/useSeparatorKeys";
import { t } from "../locales/i18n";
import styles from "./DockSplit.module.css";

/** Widths of the dock, px, in a usual window and in a slim one. */
const DOCK_PX = { usual: 344, slim: 320, min: 300, max: 640 };
/** The main view is never narrower than this, px. */
const MAIN_PX_MIN = 480;

type DockSplitProps = { open: boolean; main: ReactNode; dock: ReactNode };

/**
 * The main view and the dock beside it, sized by the separator between them (U-204). Both stay mounted in every form of
 * the window; style sheets say which of them is in sight and whether it lies over the other.
 */
export function DockSplit(props: DockSplitProps) {
  const resets = useSyncExternalStore(onReset, countResets);
  return <Parts key={resets} {...props} />;
}

function Parts({ open, main, dock }: DockSplitProps) {
  const kept = useDefaultLayout({ id: memoryOf("dock"), storage: SIZES, onlySaveAfterUserInteractions: true });
  const { group, element, onKeyDownCapture } = useSeparatorKeys("row", kept.onLayoutChanged);
  return (
    <Group
      {...kept}
      groupRef={group}
      elementRef={element}
      className={styles.middle}
      data-dock={open}
      orientation="horizontal"
      resizeTargetMinimumSize={{ coarse: 24, fine: STEP_PX }}
    >
      <Panel id="first" className={`${split.part} ${styles.main}`} minSize={MAIN_PX_MIN}>
        {main}
      </Panel>
      <Separator
        className={`${split.separator} ${styles.separator}`}
        aria-label={t("shell.dock_width")}
        onKeyDownCapture={onKeyDownCapture}
      />
      <Panel
        id="second"
        className={`${split.part} ${styles.dock}`}
        defaultSize={isSlim() ? DOCK_PX.slim : DOCK_PX.usual}
        minSize={DOCK_PX.min}
        maxSize={DOCK_PX.max}
        groupResizeBehavior="preserve-pixel-size"
      >
        {dock}
      </Panel>
    </Group>
  );
}
