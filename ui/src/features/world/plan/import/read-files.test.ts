import { describe, expect, it } from "vitest";
import { firstPlacement, wallsAt } from "./place-plan";
import { PlanFault, POINTS_MAX, WALLS_MAX } from "./plan-file";
import { readFiles } from "./read-files";

const silent = () => undefined;
const encoder = new TextEncoder();

function file(name: string, content: string | Uint8Array<ArrayBuffer>) {
  return { name, bytes: typeof content === "string" ? encoder.encode(content) : content };
}

async function drawing(...files: { name: string; bytes: Uint8Array }[]) {
  const found = await readFiles(files, silent);
  if (!("file" in found)) throw new Error("a whole plan");
  return found.file;
}

async function fault(...files: { name: string; bytes: Uint8Array }[]): Promise<string> {
  return readFiles(files, silent).then(
    () => "none",
    (error: unknown) => (error instanceof PlanFault ? error.code : String(error)),
  );
}

const YAML =
  "image: lab.pgm\nresolution: 0.5\norigin: [-1.0, -2.0, 0.0]\nnegate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.2\n";

/** A picture of letters: `#` is black, everything else white. */
function pgm(rows: readonly string[]): Uint8Array<ArrayBuffer> {
  const head = encoder.encode(`P5\n# by a robot\n${rows[0]?.length ?? 0} ${rows.length}\n255\n`);
  return new Uint8Array([...head, ...rows.flatMap((row) => [...row].map((cell) => (cell === "#" ? 0 : 254)))]);
}

describe("U-1110 a map of ROS", () => {
  const room = pgm(["######", "#....#", "#....#", "######"]);

  it("U-1110 becomes the outlines of its walls, in metres of its frame", async () => {
    const map = await drawing(file("map.yaml", YAML), file("lab.pgm", room));
    expect(map.placed).toBe(true);
    expect(map.lines).toHaveLength(2);
    const [outer, inner] = map.lines.map((line) => {
      const [xs, ys] = [line.map(([x]) => x), line.map(([, y]) => y)];
      return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
    });
    expect(outer).toEqual([-1, -2, 2, 0]);
    expect(inner).toEqual([-0.5, -1.5, 1.5, -0.5]);
    expect(map.lines[0]?.at(0)).toEqual(map.lines[0]?.at(-1));
  });

  it("U-1110 is turned as its origin says, and read the other way round where it is negated", async () => {
    const turned = await drawing(
      file("m.yaml", YAML.replace("0.0]", "1.5707963267948966]")),
      file("m.pgm", pgm(["####", "####", "####"])),
    );
    expect(wallsAt(turned, firstPlacement(turned))?.[0]).toContainEqual([-2.5, -2]);
    const negated = await drawing(file("m.yaml", YAML.replace("negate: 0", "negate: 1")), file("m.pgm", pgm(["##.."])));
    expect(Math.min(...(negated.lines[0] ?? []).map(([x]) => x))).toBe(0);
  });

  it("U-1110 smooths the stairs of a slanted wall and forgets single cells", async () => {
    const rows = Array.from({ length: 40 }, (_, row) =>
      Array.from({ length: 90 }, (_cell, column) =>
        Math.abs(column - 2 * row) < 3 || (row === 3 && column === 60) ? "#" : ".",
      ).join(""),
    );
    const slanted = await drawing(file("m.yaml", YAML), file("m.pgm", pgm(rows)));
    expect(slanted.lines).toHaveLength(1);
    expect(slanted.lines[0]?.length).toBeLessThan(12);
  });

  it("U-1110 is refused with what to do about it", async () => {
    const image = file("lab.pgm", room);
    expect(await fault(file("map.yaml", YAML))).toBe("image_needed");
    expect(await fault(image)).toBe("yaml_needed");
    expect(await fault(file("map.yaml", YAML.replace("0.5", "0")), image)).toBe("bad_resolution");
    expect(await fault(file("map.yaml", YAML.replace("0.5", ".nan")), image)).toBe("bad_resolution");
    expect(await fault(file("map.yaml", "resolution: 0.5\n"), image)).toBe("bad_map");
    expect(await fault(file("map.yaml", "a: &a [*a]\nresolution: *a"), image)).toBe("bad_map");
    expect(await fault(file("map.yaml", YAML), file("lab.pgm", room.slice(0, -1)))).toBe("pgm_cut_off");
    expect(await fault(file("map.yaml", YAML), file("lab.pgm", "P2 2 1 255 0"))).toBe("pgm_cut_off");
    expect(await fault(file("map.yaml", YAML), file("lab.pgm", "P5 99999 99999 255 x"))).toBe("too_large");
    expect(await fault(file("map.yaml", YAML), file("lab.pgm", "\u0089PNG"))).toBe("not_pgm");
    expect(await fault(file("map.yaml", YAML), file("lab.pgm", pgm(["..", ".."])))).toBe("no_lines");
  });
});

describe("U-1110 an SVG", () => {
  const svg = (inside: string, head = "") =>
    file("plan.svg", `<svg xmlns="http://www.w3.org/2000/svg" ${head}>${inside}</svg>`);

  it("U-1110 gives its lines, also those of groups that are moved, with y upwards", async () => {
    const inside = `<g transform="translate(10 0) scale(2)"><line x1="0" y1="0" x2="5" y2="0"/></g>
      <polyline points="1,0 1,10"/><polygon points="22 0, 30 0, 30 10"/><rect x="0" y="10" width="4" height="2"/>
      <path d="M0 0h4v3z M 8 0 C 8 2 10 4 12 4"/>`;
    const found = await drawing(svg(inside, 'width="300mm" viewBox="0 0 300 200"'));
    expect(found.metres_per_unit).toBeCloseTo(0.001);
    expect(found.lines[0]).toEqual([
      [10, 12],
      [20, 12],
    ]);
    expect(found.lines).toHaveLength(6);
    expect(found.placed).toBe(false);
  });

  it("U-1110 runs nothing in it, and draws nothing of what it does not show", async () => {
    const hostile = `<script>globalThis.ran = true; fetch("http://elsewhere")</script>
      <image href="http://elsewhere/x.png" onload="globalThis.ran = true"/>
      <foreignObject><line x1="0" y1="0" x2="1" y2="1"/></foreignObject>
      <defs><line x1="0" y1="0" x2="1" y2="1"/></defs><line style="display:none" x1="0" y1="0" x2="9" y2="9"/>
      <line x1="0" y1="0" x2="3" y2="0" onclick="globalThis.ran = true"/>`;
    expect((await drawing(svg(hostile))).lines).toEqual([
      [
        [0, 0],
        [3, 0],
      ],
    ]);
    expect("ran" in globalThis).toBe(false);
  });

  it("U-1110 is refused if it is none, or draws nothing", async () => {
    expect(await fault(svg("<text>kitchen</text>"))).toBe("no_lines");
    expect(await fault(file("plan.svg", "<html><body/></html>"))).toBe("bad_svg");
    expect(await fault(file("plan.svg", "<svg><line"))).toBe("bad_svg");
    expect(await fault(file("plan.svg", `<!DOCTYPE svg [<!ENTITY a "aa">]><svg>&a;</svg>`))).toBe("bad_svg");
    expect(await fault(svg('<path d="M nonsense"/><polyline points="NaN Infinity"/>'))).toBe("no_lines");
  });
});

describe("U-1110 a DXF", () => {
  const dxf = (entities: string, more = "") =>
    file("plan.dxf", `${more}0\nSECTION\n2\nENTITIES\n${entities}0\nENDSEC\n0\nEOF\n`);
  const line = (x: number, y: number) => `0\nLINE\n8\nwalls\n10\n0\n20\n0\n11\n${x}\n21\n${y}\n`;

  it("U-1110 gives lines and polylines in its own unit", async () => {
    const units = "0\nSECTION\n2\nHEADER\n9\n$INSUNITS\n70\n4\n0\nENDSEC\n";
    const chain = "0\nLWPOLYLINE\n8\n0\n90\n3\n70\n1\n10\n100\n20\n0\n10\n4000\n20\n0\n10\n4000\n20\n3000\n";
    const found = await drawing(dxf(line(5_000, 0) + chain, units));
    expect(found.metres_per_unit).toBe(0.001);
    expect(found.lines).toHaveLength(2);
    expect(found.lines[1]).toHaveLength(4);
    expect(wallsAt(found, firstPlacement(found))?.[0]).toEqual([
      [0, 0],
      [5, 0],
    ]);
  });

  it("U-1110 gives the lines of a block wherever it is inserted, and arcs as chains", async () => {
    const block =
      "0\nSECTION\n2\nBLOCKS\n0\nBLOCK\n8\n0\n2\ndoor\n70\n0\n10\n0\n20\n0\n0\nLINE\n8\n0\n10\n0\n20\n0\n11\n1\n21\n0\n0\nENDBLK\n8\n0\n0\nENDSEC\n";
    const insert = "0\nINSERT\n8\n0\n2\ndoor\n10\n5\n20\n5\n50\n90\n";
    const arc = "0\nARC\n8\n0\n10\n0\n20\n0\n40\n2\n50\n0\n51\n90\n";
    const found = await drawing(dxf(insert + arc, block));
    expect(found.lines[0]?.map((point) => point.map(Math.round))).toEqual([
      [5, 5],
      [5, 6],
    ]);
    expect(found.lines[1]?.at(0)).toEqual([2, 0]);
    expect(found.lines[1]?.length).toBeGreaterThan(4);
  });

  it("U-1110 is refused without lines, and if it is none", async () => {
    expect(await fault(dxf("0\nTEXT\n8\n0\n1\nkitchen\n"))).toBe("no_lines");
    expect(await fault(file("plan.dxf", "no drawing"))).toBe("bad_dxf");
    expect(await fault(file("plan.dxf", ""))).toBe("bad_dxf");
  });
});

describe("U-1110 any file", () => {
  it("U-1110 larger than 20 MB, or of another kind, is refused", async () => {
    expect(await fault({ name: "plan.svg", bytes: new Uint8Array(20_000_001) })).toBe("too_large");
    expect(await fault(file("plan.pdf", "%PDF"))).toBe("unknown_kind");
    expect(await fault(file("plan.json", "[1]"))).toBe("bad_json");
    expect(await fault(file("plan.json", '{"frame":"map","walls":[[["a",0],[1,1]]]}'))).toBe("bad_json");
  });

  it("U-1110 with more lines than a plan may have is simplified until it has no more", async () => {
    const many = Array.from(
      { length: 5_000 },
      (_, at) => `<path d="M${at} 0 L${at} ${1 + (at % 7)} l9 0 l0 9 l-9 0"/>`,
    );
    const found = await drawing(file("plan.svg", `<svg>${many.join("")}</svg>`));
    expect(found.lines.length).toBeLessThanOrEqual(WALLS_MAX);
    expect(found.lines.flat().length).toBeLessThanOrEqual(POINTS_MAX);
    expect(found.dropped).toBe(5_000 - found.lines.length);
  });

  it("U-1110 that writes a wall as many pieces gives one line, and its largest lines where there are too many", async () => {
    const room = `<line x1="0" y1="0" x2="9" y2="0"/><line x1="9" y1="5" x2="9" y2="0"/><line x1="9" y1="5" x2="0" y2="5"/>
      <line x1="0" y1="5" x2="0" y2="0"/><line x1="20" y1="0" x2="30" y2="0"/>`;
    const { lines } = await drawing(file("plan.svg", `<svg>${room}</svg>`));
    expect(lines.map(({ length }) => length)).toEqual([5, 2]);
    const dust = Array.from(
      { length: 30_000 },
      (_, at) => `<path d="M${2 * (at % 200)} ${100 + 2 * Math.floor(at / 200)} l1 1"/>`,
    ).join("");
    const dusty = await drawing(file("plan.svg", `<svg>${room}${dust}</svg>`));
    expect(dusty.lines).toHaveLength(WALLS_MAX);
    expect(dusty.lines.map(({ length }) => length)).toContain(5);
    expect(dusty.dropped).toBe(30_002 - WALLS_MAX);
  });

  it("U-1110 that was exported comes back as it was", async () => {
    const plan = {
      frame: "map",
      walls: [
        [
          [0, 0],
          [1, 0],
        ],
      ],
      areas: [
        {
          name: "dock",
          corners: [
            [0, 0],
            [1, 0],
            [1, 1],
          ],
        },
      ],
    };
    expect(await readFiles([file("site-plan.json", JSON.stringify(plan))], silent)).toEqual({ plan });
  });
});

describe("U-1110 the place of a drawing", () => {
  const lines: [number, number][][] = [
    [
      [1_000, 1_000],
      [1_010, 1_000],
    ],
  ];

  it("U-1110 is where it lies in its file, scaled and turned about its corner", () => {
    const dxf = { kind: "dxf" as const, lines, areas: [], metres_per_unit: 0.1, placed: false, dropped: 0 };
    const first = firstPlacement(dxf);
    expect(first).toEqual({ metres_per_unit: 0.1, x_m: 100, y_m: 100, turn_deg: 0 });
    expect(wallsAt(dxf, { ...first, turn_deg: 90 })).toEqual([
      [
        [100, 100],
        [100, 101],
      ],
    ]);
  });

  it("U-1110 begins at the origin where the file's own lies beyond any site, and none is beyond it", () => {
    const far = { kind: "dxf" as const, lines, areas: [], metres_per_unit: 1_000, placed: false, dropped: 0 };
    expect(firstPlacement(far)).toMatchObject({ x_m: 0, y_m: 0 });
    expect(wallsAt(far, { metres_per_unit: 2_000, x_m: 0, y_m: 0, turn_deg: 0 })).toBeNull();
  });
});
