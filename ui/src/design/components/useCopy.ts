import { useState } from "react";

/** `outcome` is that of the last copy, null before the first. */
export type Copy = { outcome: "copied" | "failed" | null; copy: (text: string) => Promise<void> };

/** Copies a text into the clipboard of this computer. */
export function useCopy(): Copy {
  const [outcome, setOutcome] = useState<Copy["outcome"]>(null);
  const copy = async (text: string) => {
    try {
      // A page without TLS has no clipboard at all, which fails here like one that is refused.
      await navigator.clipboard.writeText(text);
      setOutcome("copied");
    } catch {
      setOutcome("failed");
    }
  };
  return { outcome, copy };
}
