// Places that an address of the world screen names.

/** Place on the screen. */
export type WorldPlace =
  | { view: "state"; robot: string | null; key: string | null }
  | { view: "plan" }
  | { view: "cameras" }
  | { view: "plot" }
  | { view: "topics"; topic: string | null }
  | { view: "providers"; provider: string | null; topic: string | null };

/**
 * Reads `/world`, `/world/arm-1`, `/world/key/person.location`, `/world/plan`, `/world/cameras`, `/world/plot`, `/world/topics/…`, `/world/providers/cp-…`,
 * `/world/providers/new/…`.
 */
export function placeOf(first: string | undefined, second: string | undefined, third: string | undefined): WorldPlace {
  if (first === "key") return { view: "state", robot: null, key: second ?? null };
  if (first === "plan") return { view: "plan" };
  if (first === "cameras") return { view: "cameras" };
  if (first === "plot") return { view: "plot" };
  if (first === "topics") return { view: "topics", topic: decoded(second) };
  if (first === "providers") return { view: "providers", provider: second ?? null, topic: decoded(third) };
  return { view: "state", robot: first ?? null, key: null };
}

/** Address of the explanation of an entry. */
export function keyPath(key: string): string {
  return `/world/key/${key}`;
}

/** Address of a topic. A key expression has slashes of its own. */
export function topicPath(topic: string): string {
  return `/world/topics/${encoded(topic)}`;
}

/** Address of a provider's form; `new` makes one, of a topic if one is named. */
export function providerPath(provider: string, topic?: string): string {
  return `/world/providers/${provider}${topic === undefined ? "" : `/${encoded(topic)}`}`;
}

/** The router decodes an address once before it is read here, all but its reserved signs: a `%` has to outlive that. */
function encoded(part: string): string {
  return encodeURIComponent(part.replaceAll("%", "%25"));
}

function decoded(part: string | undefined): string | null {
  if (part === undefined) return null;
  try {
    return decodeURIComponent(part);
  } catch {
    // An address that somebody has typed; the screen then says that nothing was heard there.
    return part;
  }
}
