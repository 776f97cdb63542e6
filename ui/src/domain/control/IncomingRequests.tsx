import { useLive } from "../station/useLive";
import { IncomingRequest } from "./IncomingRequest";

/** Everybody who asks this desk for a robot it has control of. */
export function IncomingRequests() {
  const safety = useLive((store) => store.safety);
  const session = useLive((store) => store.session?.session_id);
  return [...safety.values()].map(({ robot, control, control_request }) => {
    if (!control_request || typeof control === "string" || !("person" in control) || control.person.session !== session)
      return null;
    return <IncomingRequest key={control_request.id} robot={robot} request={control_request} />;
  });
}
