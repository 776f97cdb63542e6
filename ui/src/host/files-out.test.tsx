import { afterEach, beforeEach, expect, it } from "vitest";
import { keepFilesOut } from "./files-out";

let end = () => undefined as void;
beforeEach(() => {
  end = keepFilesOut();
});
afterEach(() => {
  end();
  document.body.replaceChildren();
});

/** A drop of this on a part of the page; tells whether the browser would carry it out, and the cursor's answer. */
function drop(types: readonly string[], taken: boolean) {
  const part = document.body.appendChild(document.createElement("div"));
  if (taken) part.addEventListener("drop", (event) => event.preventDefault());
  const event = new Event("drop", { bubbles: true, cancelable: true });
  const dataTransfer = { types, dropEffect: "copy" };
  Object.assign(event, { dataTransfer });
  part.dispatchEvent(event);
  return { opened: !event.defaultPrevented, effect: dataTransfer.dropEffect };
}

it("refuses a file that is dropped beside the place for it", () =>
  expect(drop(["Files"], false)).toEqual({ opened: false, effect: "none" }));
it("leaves a file to the part that takes it", () =>
  expect(drop(["Files"], true)).toEqual({ opened: false, effect: "copy" }));
it("leaves text to the field it is dragged into", () =>
  expect(drop(["text/plain"], false)).toEqual({ opened: true, effect: "copy" }));
