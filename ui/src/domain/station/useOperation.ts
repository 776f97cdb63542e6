// An operation with effect, called by a control: one call at a time, and its refusal as text.

import { useMutation } from "@tanstack/react-query";
import { useRef } from "react";
import { toHostError, type HostError } from "../../host/host";
import { aboutAgent, type Input, operation, type OperationName, type Output } from "../../host/operations";
import { useStation } from "./station-context";

/**
 * `pending` stays true until the station answered; a second call in between is not made (U-104).
 * `forget` drops a refusal once what it was about has changed.
 * `giveUp` waits no longer for an answer that may be lost: `onTaken` is told if it comes, `onDone` is not.
 */
export type OperationCall<Name extends OperationName> = {
  run: (input: Input<Name>, onDone?: (output: Output<Name>) => void, onRefused?: (error: HostError) => void) => void;
  pending: boolean;
  error: HostError | null;
  forget: () => void;
  giveUp: () => void;
};

/**
 * The call of one operation; one about an agent is about the one this window shows. `onTaken` is called with each input
 * that the station took and its answer, also where the control is gone by then: `onDone` of `run` is not.
 */
export function useOperation<Name extends OperationName>(
  name: Name,
  onTaken?: (input: Input<Name>, output: Output<Name>) => void,
): OperationCall<Name> {
  const { host, store } = useStation();
  const underWay = useRef<symbol | null>(null);
  const givenUp = useRef(false);
  const mutation = useMutation({
    mutationFn: async (input: Input<Name>) => {
      const own = underWay.current;
      try {
        return await operation(host, name, aboutAgent(name, input, store.agent));
      } finally {
        // The answer of a call that was given up says nothing of the next one.
        if (underWay.current === own) underWay.current = null;
      }
    },
    onSuccess: (output, input) => onTaken?.(input, output),
  });
  return {
    run: (input, onDone, onRefused) => {
      // What was drawn last may be older than a press: a busy window hears two of them before it draws.
      if (underWay.current !== null || (mutation.isPending && !givenUp.current)) return;
      givenUp.current = false;
      underWay.current = Symbol(name);
      mutation.mutate(input, {
        onSuccess: (output) => onDone?.(output),
        onError: (error) => onRefused?.(toHostError(error)),
      });
    },
    pending: mutation.isPending,
    error: mutation.error === null ? null : toHostError(mutation.error),
    forget: () => {
      if (mutation.isError) mutation.reset();
    },
    giveUp: () => {
      underWay.current = null;
      givenUp.current = true;
      mutation.reset();
    },
  };
}
