// Requests and answers: one TanStack client whose rows the station's tags outdate (U-405).

import { QueryClient } from "@tanstack/react-query";
import type { RowTag } from "./tags";

/** A tag that comes with every frame must not turn into twenty requests a second. */
const REFETCH_EVERY_MS = 250;

/** A client that never refetches by itself: rows are current until a tag says otherwise. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: Infinity,
        gcTime: 60_000,
        retry: 1,
        retryDelay: 500,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
      },
      mutations: { retry: false },
    },
  });
}

/** Outdates rows by tag: the first tag acts at once, repeats within [`REFETCH_EVERY_MS`] are merged. */
export class TagInvalidator {
  readonly #client: QueryClient;
  readonly #pending = new Set<RowTag>();
  #timer: ReturnType<typeof setTimeout> | undefined;

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
    void this.#client.invalidateQueries();
  }

  #flush(): void {
    const tags = new Set(this.#pending);
    const outdated = (of: unknown) => [of].flat().some((tag) => tags.has(tag as RowTag));
    void this.#client.invalidateQueries({ predicate: ({ queryKey: [of] }) => outdated(of) });
    this.#pending.clear();
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#pending.size > 0) this.#flush();
    }, REFETCH_EVERY_MS);
  }
}
