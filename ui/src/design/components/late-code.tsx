// Parts whose code is loaded when they are first shown.

import { type ComponentType, lazy } from "react";

/** Puts a part in the place of each one whose code could not be loaded. */
const failed = new Set<() => void>();

/** Code that could not be loaded is loaded anew when it is wanted next. */
export function loadFailedAnew(): void {
  for (const renew of failed) renew();
  failed.clear();
}

/** The part that `load` gives. React keeps a failure for as long as the page is open, hence `loadFailedAnew`. */
export function lateCode<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const made = () =>
    lazy(async () => {
      try {
        return { default: await load() };
      } catch (thrown) {
        // Not here and now: React draws a part that failed once more at once, and would load without an end.
        failed.add(() => {
          Part = made();
        });
        throw thrown;
      }
    });
  let Part: ComponentType<Props> = made();
  return function Late(props: Props) {
    return <Part {...props} />;
  };
}
