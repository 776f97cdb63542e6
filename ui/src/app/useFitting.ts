// Number of items on the first line of a wrapping list.

import { type RefCallback, useState } from "react";

/** Counts the items with `data-fits` on the first line of the list that has the ref `list`; without a layout, all. */
export function useFitting(): { list: RefCallback<HTMLElement>; fitting: number } {
  const [fitting, setFitting] = useState(Number.POSITIVE_INFINITY);
  const list: RefCallback<HTMLElement> = (element) => {
    if (!element || typeof ResizeObserver === "undefined") return;
    const items = () => [...element.querySelectorAll<HTMLElement>("[data-fits]")];
    const sizes = new ResizeObserver(() =>
      setFitting(items().filter((item, _, [first]) => item.offsetTop === first?.offsetTop).length),
    );
    // An item may grow by itself, and items come and go: each is watched, not only the list.
    const watch = () => {
      sizes.disconnect();
      for (const watched of [element, ...items()]) sizes.observe(watched);
    };
    const members = new MutationObserver(watch);
    members.observe(element, { childList: true });
    watch();
    return () => {
      sizes.disconnect();
      members.disconnect();
    };
  };
  return { list, fitting };
}
