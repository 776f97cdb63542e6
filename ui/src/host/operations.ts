// The typed call of an operation, and the agent that a window means by one.

import { OF_ONE_AGENT, type Operations } from "../generated/operations";
import type { Host } from "./host";

/** The name of an operation that a window may call. */
export type OperationName = keyof Operations;
/** Input of an operation; the same call with the same `request_id` is carried out once. */
export type Input<Name extends OperationName> = Operations[Name]["input"] & { agent?: string; request_id?: string };
/** Answer of an operation. */
export type Output<Name extends OperationName> = Operations[Name]["output"];

/** Calls an operation with its own types. */
export function operation<Name extends OperationName>(
  host: Host,
  name: Name,
  input: Input<Name>,
  signal?: AbortSignal,
): Promise<Output<Name>> {
  return host.call<Output<Name>>(name, input, signal);
}

/** The input with the agent it is about, where the operation is about one and the window knows it; one it names stays. */
export function aboutAgent<Name extends OperationName>(
  name: Name,
  input: Input<Name>,
  agent: string | null,
): Input<Name> {
  return agent === null || !OF_ONE_AGENT.has(name) ? input : { agent, ...input };
}

/** True once rows can be asked for: not before the window knows whose they are, because there may be several agents. */
export function canAsk(name: OperationName, agent: string | null): boolean {
  return agent !== null || !OF_ONE_AGENT.has(name);
}
