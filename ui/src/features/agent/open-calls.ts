import { createContext, useContext, useState } from "react";

type OpenCalls = { open: ReadonlySet<string>; onToggle: (call: string, open: boolean) => void };

const NONE: OpenCalls = { open: new Set(), onToggle: () => {} };

/** The tool calls of a conversation that somebody has opened. A row is drawn anew when its turn is stored, and stays open. */
export const OpenCallsContext = createContext<OpenCalls>(NONE);

/** The value of the context, for the one who draws the conversation. */
export function useOpenCalls(): OpenCalls {
  const [open, setOpen] = useState<ReadonlySet<string>>(NONE.open);
  const onToggle = (call: string, isOpen: boolean) =>
    setOpen((before) => {
      // A row that is drawn open tells of it too.
      if (before.has(call) === isOpen) return before;
      const after = new Set(before);
      if (isOpen) after.add(call);
      else after.delete(call);
      return after;
    });
  return { open, onToggle };
}

/** One call: whether its row is open, and what to call when somebody opens or closes it. */
export function useOpenCall(call: string): [boolean, (open: boolean) => void] {
  const { open, onToggle } = useContext(OpenCallsContext);
  return [open.has(call), (isOpen) => onToggle(call, isOpen)];
}
