// An answer that comes when the test says so.

/** A promise with its two ends. */
export type Later<T> = { promise: Promise<T>; resolve: (value: T) => void; reject: (reason: unknown) => void };

export function later<T>(): Later<T> {
  let resolve: Later<T>["resolve"] = () => undefined;
  let reject: Later<T>["reject"] = () => undefined;
  const promise = new Promise<T>((done, failed) => {
    resolve = done;
    reject = failed;
  });
  return { promise, resolve, reject };
}
