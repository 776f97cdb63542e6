// A value once it has rested: what is half typed is not worth an answer.

import { useEffect, useState } from "react";

/** The newest value that stayed the same for `rest_ms`; null while it does not. */
export function useRested<Value extends string | null>(value: Value, rest_ms: number): Value | null {
  const [rested, setRested] = useState<Value | null>(value);

  // Synchronises with the clock.
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), rest_ms);
    return () => clearTimeout(timer);
  }, [value, rest_ms]);

  return rested === value ? rested : null;
}
