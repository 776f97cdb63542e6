// The way back of something that the window has just done, for the toast that says so.

import type { Undo } from "../../design/components/toast-queue";
import { toHostError } from "../../host/host";
import { aboutAgent, type Input, operation, type OperationName } from "../../host/operations";
import { errorSentence } from "../../locales/i18n";
import { useStation } from "./station-context";

/** Makes ways back by one operation. They work, and give a refusal, wherever the window has gone since. */
export function useUndo<Name extends OperationName>(name: Name): (input: Input<Name>) => Undo {
  const { host, store } = useStation();
  return (input) => {
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
