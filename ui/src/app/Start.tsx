import { useLayoutEffect, useState } from "react";
import { useLocation } from "wouter";
import { useRows } from "../domain/station/useRows";

/** The first screen of a window without an address: setting up, until somebody has accepted what STOP ALL is not. */
export function Start() {
  const { data, isError } = useRows("safety", "notice_state", {});
  const [, navigate] = useLocation();
  const [opened] = useState(addressed);
  // A station that does not say is shown as it is: nobody is kept from its robots by a form.
  const isKnown = data !== undefined || isError;
  const first = data && data.rows.accepted_by === null ? "/welcome" : "/overview";

  // Synchronises with the address, which is ahead of what is drawn: whoever has gone elsewhere meanwhile goes there. A
  // layout effect runs again when this comes back before the screen that it led to was loaded.
  useLayoutEffect(() => {
    if (isKnown && addressed() === opened) navigate(first, { replace: true });
  }, [isKnown, first, opened, navigate]);
  return null;
}

/** The location in the address. */
function addressed(): string {
  return window.location.hash.replace(/^#?\/?/, "");
}
