// Requests and answers: one TanStack client whose rows the station's tags outdate (U-405).

import { type Query, QueryClient } from "@tanstack/react-query";
import type { RowTag } from "./tags";

/** A tag that comes with every frame must not turn into twenty requests a second. */
const REFETCH_EVERY_MS = 250;

/** A client that never refetches by itself: rows are current until a tag says otherwise. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      // The station is on this computer or in the robots' own network. Without this a computer that has lost its
      // network would hold an act back, and send it once the network is there again, when nobody means it any more.
      queries: {
        networkMode: "always",
        staleTime: Infinity,
        gcTime: 60_000,
        // One failure may be the moment in which a station starts; more of them are worth a sentence.
        retry: 1,
        retryDelay: 500,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
      },
      mutations: { networkMode: "always", retry: false },
    },
  });
}

/**
 * Asks anew for what `refetch` of a query result asks for, also while its first answer hangs: by itself the client would
 * go on waiting for that one.
 */
export function askAnew(client: QueryClient, refetch: () => Promise<unknown>): void {
  const queries = client.getQueryCache().getAll();
  const own = queries.find(({ observers }) => observers.some((observer) => observer.refetch === refetch));
  void own?.cancel({ silent: true });
  void refetch();
}

/** Outdates rows by tag: the first tag acts at once, repeats within [`REFETCH_EVERY_MS`] are merged. */
export class TagInvalidator {
  readonly #client: QueryClient;
  readonly #pending = new Set<RowTag>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** First answers that were outdated before they came. */
  readonly #first = new WeakSet<Promise<unknown>>();

  constructor(client: QueryClient) {
    this.#client = client;
  }

  /** Marks everything queried under these tags as outdated. */
  invalidate(tags: readonly RowTag[]): void {
    for (const tag of tags) this.#pending.add(tag);
    if (this.#timer === undefined && this.#pending.size > 0) this.#flush();
  }

  /** Marks everything as outdated: the station could not tell what was missed. */
  invalidateAll(): void {
    this.#outdate(() => true);
  }

  #outdate(predicate: (query: Query) => boolean): void {
    for (const query of this.#client.getQueryCache().findAll({ predicate })) this.#askAgain(query);
    void this.#client.invalidateQueries({ predicate });
  }

  /** A first answer that is on its way was made before: the client itself asks anew only where it has had one. */
  #askAgain({ state, promise, queryKey }: Query): void {
    if (state.data !== undefined || promise === undefined || this.#first.has(promise)) return;
    this.#first.add(promise);
    const ask = () => this.#client.invalidateQueries({ queryKey, exact: true });
    void promise.then(ask, () => undefined);
  }

  #flush(): void {
    const tags = new Set(this.#pending);
    const outdated = (of: unknown) => [of].flat().some((tag) => tags.has(tag as RowTag));
    this.#outdate(({ queryKey: [of] }) => outdated(of));
    this.#pending.clear();
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#pending.size > 0) this.#flush();
    }, REFETCH_EVERY_MS);
  }
}
