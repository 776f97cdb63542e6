// Setup of every component test: an unmounted page after each test, and stand-ins for the parts that jsdom lacks.

import { cleanup } from "@testing-library/react";
import { afterEach } from "vitest";

afterEach(cleanup);

// jsdom lays nothing out, so there is nothing to scroll.
Element.prototype.scrollIntoView = () => undefined;

// jsdom has no CSS.escape; React Aria names elements with it.
Object.defineProperty(globalThis, "CSS", {
  value: { escape: (text: string) => text.replaceAll(/[^\w-]/g, (found) => `\\${found}`) },
});
