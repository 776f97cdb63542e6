// The way back of something that the window has just done, for the toast that says so.

import type { Undo } from "../../design/components/toast-queue";
import { toHostError } from "../../host/host";
import { aboutAgent, type Input, operation, type OperationName } from "../../host/operations";
import { errorSentence } from "../../locales/i18n";
import { useStation } from "./station-context";

/** Makes undos that call one operation. They work, and say a refusal, after the screen that made them is gone. */
export function useUndo<Name extends OperationName>(name: Name): (input: Input<Name>) => Undo {
  const { host, store } = useStation();
  return (input) => {
    // Now, because the window may show another agent by the time that the undo is pressed.
    const about = aboutAgent(name, input, store.agent);
    return async () => {
      try {
        await operation(host, name, about);
        return null;
      } catch (thrown) {
        const { code, message, details } = toHostError(thrown);
        return errorSentence(code, message, details);
      }
    };
  };
}
