import { type ReactNode, useSyncExternalStore } from "react";
import { Group, Panel, Separator, useDefaultLayout } from "react-resizable-panels";
import { useMedia } from "./media";
import { countResets, memoryOf, onReset, SIZES } from "./split-memory";
import styles from "./Split.module.css";
import { STEP_PX, useSeparatorKeys } from "./useSeparatorKeys";

type SplitProps = {
  /** Names the split in the desk's memory. */
  id: string;
  /** The name of the part that the separator sizes. */
  label: string;
  /** `row` stands side by side. */
  along: "row" | "column";
  /** Size of the first part until somebody changes it, px. */
  first_px: number;
  /** The least and the greatest size of the first part, px. */
  min_px: number;
  max_px: number;
  first: ReactNode;
  second: ReactNode;
};

/** The second part is never narrower than this, px. */
const REST_PX = 240;

/**
 * Two parts with a separator between them, moved by pointer or arrow keys; a double click resets it (U-204). Both stay
 * mounted in every form of the window: whoever zooms in while writing goes on writing.
 */
export function Split(props: SplitProps) {
  const resets = useSyncExternalStore(onReset, countResets);
  // The library reads the sizes of a group once, when it is mounted.
  return <Parts key={resets} {...props} />;
}

/** One column: the parts stand one below the other, and nothing is left to be sized (U-206). */
const NARROW = "(max-width: 45em)";

function Parts({ id, label, along, first_px, min_px, max_px, first, second }: SplitProps) {
  const narrow = useMedia(NARROW);
  const kept = useDefaultLayout({ id: memoryOf(id), storage: SIZES, onlySaveAfterUserInteractions: true });
  const { group, element, onKeyDownCapture } = useSeparatorKeys(along, kept.onLayoutChanged);
  return (
    <Group
      {...kept}
      groupRef={group}
      elementRef={element}
      className={styles.group}
      disabled={narrow}
      orientation={along === "row" ? "horizontal" : "vertical"}
      resizeTargetMinimumSize={{ coarse: 24, fine: STEP_PX }}
    >
      <Panel
        id="first"
        className={styles.part}
        defaultSize={first_px}
        minSize={min_px}
        maxSize={max_px}
        groupResizeBehavior="preserve-pixel-size"
      >
        {first}
      </Panel>
      <Separator className={styles.separator} aria-label={label} onKeyDownCapture={onKeyDownCapture} />
      <Panel id="second" className={styles.part} minSize={REST_PX}>
        {second}
      </Panel>
    </Group>
  );
}
