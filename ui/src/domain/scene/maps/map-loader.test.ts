import { describe, expect, it } from "vitest";
import type { RobotMap } from "../../../generated/bindings/RobotMap";
import type { Host } from "../../../host/host";
import { MapLoader } from "./map-loader";

const GRID = {
  frame: "map",
  resolution_m: 0.5,
  width_cells: 2,
  height_cells: 1,
  origin_m: [0, 0],
  yaw_rad: 0,
} as const;

const row = (change: Partial<RobotMap>): RobotMap => ({
  robot: "rover-1",
  observed_mono_ms: 7,
  fault: null,
  grid: { ...GRID, origin_m: [0, 0] },
  png_base64: btoa("\u0000\u0064"),
  ...change,
});

/** A host that gives these answers in their order, and what it was asked. */
function loaderOf(...answers: RobotMap[][]) {
  const asked: unknown[] = [];
  const call = (name: string, input: unknown) => {
    asked.push([name, input]);
    return Promise.resolve(answers.shift() ?? []);
  };
  const host: Host = { call: call as Host["call"], subscribe: () => () => undefined };
  const loader = new MapLoader(host, async (png) => new Uint8Array(await png.arrayBuffer()));
  return { asked, load: () => loader.load(new AbortController().signal) };
}

describe("U-1102 the maps of a desk", () => {
  it("are decoded once, and asked for again only when they are newer", async () => {
    const { asked, load } = loaderOf([row({})], [row({ png_base64: null })], [row({ observed_mono_ms: 9 })]);
    const first = await load();
    expect(first).toMatchObject([{ robot: "rover-1", observed_mono_ms: 7 }]);
    expect([...(first[0]?.cells ?? [])]).toEqual([0, 100]);
    expect(await load()).toBe(first);
    const third = await load();
    expect(third[0]?.observed_mono_ms).toBe(9);
    expect(asked).toEqual([
      ["list_robot_maps", { seen: [] }],
      ["list_robot_maps", { seen: [{ robot: "rover-1", observed_mono_ms: 7 }] }],
      ["list_robot_maps", { seen: [{ robot: "rover-1", observed_mono_ms: 7 }] }],
    ]);
  });

  it("keep the last one while the newest cannot be shown, and go with their robot", async () => {
    const { load } = loaderOf([row({})], [row({ fault: "wrong_size", png_base64: null })], []);
    const first = await load();
    expect(await load()).toBe(first);
    expect(await load()).toEqual([]);
  });

  it("come for the other robots where one cannot be read", async () => {
    const broken = row({ robot: "rover-2", png_base64: "%" });
    const { load } = loaderOf([row({}), broken], [row({ png_base64: null }), row({ robot: "rover-2" })]);
    expect((await load()).map(({ robot }) => robot)).toEqual(["rover-1"]);
    expect((await load()).map(({ robot }) => robot)).toEqual(["rover-1", "rover-2"]);
  });

  it("come with the next answer where one has no room for them", async () => {
    const other = row({ robot: "rover-2", png_base64: null });
    const { load } = loaderOf([row({}), other], [row({ png_base64: null }), row({ robot: "rover-2" })]);
    expect((await load()).map(({ robot }) => robot)).toEqual(["rover-1"]);
    expect((await load()).map(({ robot }) => robot)).toEqual(["rover-1", "rover-2"]);
  });
});
