import { type ReactNode, Suspense } from "react";

type LazyPartProps = {
  /** Sentence that stands in for the part; without one its room stays empty. */
  wait?: string | undefined;
  /** Class of that sentence. */
  className?: string | undefined;
  children: ReactNode;
};

/** A part of the page whose code is loaded once it is shown. */
export function LazyPart({ wait, className, children }: LazyPartProps) {
  return <Suspense fallback={<Waiting className={className}>{wait}</Waiting>}>{children}</Suspense>;
}

/** The stand-in for what is on its way; `aria-busy` tells it from a sentence that stays. */
export function Waiting({ className, children }: { className: string | undefined; children: ReactNode }) {
  return (
    <p className={className} aria-busy="true">
      {children}
    </p>
  );
}
