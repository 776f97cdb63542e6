import { useMutation } from "@tanstack/react-query";
import type { ItemRow } from "../../generated/bindings/ItemRow";
import type { RawCommand } from "../../generated/bindings/RawCommand";
import type { Verdict } from "../../generated/bindings/Verdict";
import { toHostError } from "../../host/host";
import { operation } from "../../host/operations";
import { Button } from "../../design/components/Button";
import { Refusal } from "../../design/components/Refusal";
import { useStation } from "../station/station-context";
import { t } from "../../locales/i18n";
import { replan } from "./replan";

type ReplanButtonProps = {
  command: RawCommand | null;
  verdict: Verdict;
  rows: readonly ItemRow[];
  /** Puts a sentence where the operator can read, change and send it. */
  onReplan: (text: string) => void;
  /** It is what its screen is for. */
  primary?: boolean;
};

/** Brings the motion within the limits and offers it as a sentence. Nothing is sent by it. */
export function ReplanButton({ command, verdict, rows, onReplan, primary = false }: ReplanButtonProps) {
  const { host } = useStation();
  const planning = useMutation({
    mutationFn: () =>
      replan(command, { verdict, explanation: [...rows] }, (raw) => operation(host, "check_command", raw)),
  });
  return (
    <>
      <Button
        look={primary ? "primary" : "plain"}
        data-testid="replan"
        disabled={planning.isPending}
        // Here and not in the options above: a plan that is ready after its screen was left must overwrite no draft.
        onClick={() => planning.mutate(undefined, { onSuccess: onReplan })}
      >
        {planning.isPending ? t("hold.sending") : t("denial.replan")}
      </Button>
      <Refusal error={planning.error === null ? null : toHostError(planning.error)} />
    </>
  );
}
