// Setup of every component test: an unmounted page after each test, and stand-ins for the parts that jsdom lacks.

import { cleanup, configure } from "@testing-library/react";
import { afterEach } from "vitest";

// The library gives up after a second, which a part that is loaded later takes on a busy computer.
configure({ asyncUtilTimeout: 20_000 });

afterEach(cleanup);

// jsdom lays nothing out, so there is nothing to scroll.
Element.prototype.scrollIntoView = () => undefined;

// jsdom has no CSS.escape; React Aria names elements with it.
Object.defineProperty(globalThis, "CSS", {
  value: { escape: (text: string) => text.replaceAll(/[^\w-]/g, (found) => `\\${found}`) },
});

// jsdom has no window to measure: no query holds, and nothing changes its size.
Object.defineProperty(globalThis, "matchMedia", {
  value: () => ({ matches: false, addEventListener: () => undefined, removeEventListener: () => undefined }),
});
Object.defineProperty(globalThis, "ResizeObserver", {
  value: class {
    observe = () => undefined;
    unobserve = () => undefined;
    disconnect = () => undefined;
  },
});
