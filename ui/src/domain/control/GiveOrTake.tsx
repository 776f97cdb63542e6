import { useRef } from "react";
import { Button } from "../../design/components/Button";
import { Refusal } from "../../design/components/Refusal";
import { useFocusBack } from "../../design/fields/useFocusBack";
import { useOperation } from "../station/useOperation";
import { t } from "../../locales/i18n";

/** Acts that need nothing but the robot. */
export type GiveOrTakeName = "take_control" | "release_control" | "hand_to_agent";

type GiveOrTakeProps = { name: GiveOrTakeName; robot: string; refusal: string | null; onGone: () => void };

/** One act on control. It goes away when the station reports the new holder, never before (U-104). */
export function GiveOrTake({ name, robot, refusal, onGone }: GiveOrTakeProps) {
  const call = useOperation(name);
  const button = useRef<HTMLSpanElement>(null);
  useFocusBack(button, onGone);
  return (
    <span ref={button}>
      <Button
        data-testid={`${name}-${robot}`}
        aria-label={t(`control_act_name.${name}`, { robot })}
        disabled={refusal !== null || call.pending}
        title={refusal ?? undefined}
        onClick={({ detail }) => {
          // The second press of a double click would meet the act that the first has put in its place.
          if (detail < 2) call.run({ robot });
        }}
      >
        {call.pending ? t("hold.sending") : t(`control_act.${name}`)}
      </Button>
      <Refusal error={call.error} />
    </span>
  );
}
