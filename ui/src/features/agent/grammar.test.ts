import { describe, expect, it } from "vitest";
import { distance, nearestKnown, offered } from "./grammar";

describe("U-907 commands of the composer", () => {
  it.each([
    ["/", 26],
    ["/st", 3],
    ["/MOVE", 1],
    ["/move ", 0],
    ["move", 0],
    ["say /st", 0],
  ])("%j offers %d of them", (draft, count) => expect(offered(draft)).toHaveLength(count));

  it.each([
    ["/pase patrol", "pause"],
    ["/satus", "status"],
    ["/mvoe arm-1 to 0 0 1", "move"],
    ["/", "help"],
    ["/pause patrol", null],
    ["/approve 3", null],
    ["/What do you see", null],
    ["pase patrol", null],
  ])("%j is refused with %j", (text, word) => expect(nearestKnown(text)).toBe(word));

  it.each([
    ["", "abc", 3],
    ["pase", "pause", 1],
    ["mvoe", "move", 1],
    ["same", "same", 0],
    ["ca", "abc", 3],
  ])("from %s to %s it is %d", (a, b, far) => expect([distance(a, b), distance(b, a)]).toEqual([far, far]));
});
