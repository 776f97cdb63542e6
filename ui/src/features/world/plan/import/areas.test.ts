import { describe, expect, it } from "vitest";
import { areasAt, firstPlacement } from "./place-plan";
import { POINTS_MAX } from "./plan-file";
import { readFiles } from "./read-files";
import { isSimple } from "./simple-edge";
import { withDrawing } from "../placing";

const encoder = new TextEncoder();

async function drawing(name: string, content: string) {
  const found = await readFiles([{ name, bytes: encoder.encode(content) }], () => undefined);
  if (!("file" in found)) throw new Error("a whole plan");
  return found.file;
}

const svg = (inside: string) =>
  drawing("plan.svg", `<svg xmlns="http://www.w3.org/2000/svg"><title>Hall 4</title>${inside}</svg>`);
const names = ({ areas }: Awaited<ReturnType<typeof svg>>) => areas.map(({ name }) => name);
const SQUARE = '<path d="M0 0h4v4h-4z"/>';

describe("U-1110 named areas of an SVG", () => {
  it("are closed lines with a title, and those that are alone in a group with a name", async () => {
    const found = await svg(`<rect x="0" y="6" width="2" height="2"><title> Loading
      dock </title></rect><g id="kitchen"><g id="g12">${SQUARE}</g></g>
      <g inkscape:label="Yard" id="layer3"><polygon points="9 0 12 0 12 3"/></g>
      <g id="stairs"><title>Stairs down</title><circle cx="20" cy="2" r="1"/></g>`);
    expect(names(found)).toEqual(["Loading dock", "kitchen", "Yard", "Stairs down"]);
    expect(found.lines.length).toBe(4);
    expect(areasAt(found, { ...firstPlacement(found), x_m: 1, y_m: 0 })[0]).toEqual({
      name: "Loading dock",
      corners: [
        [1, 2],
        [3, 2],
        [3, 0],
        [1, 0],
      ],
    });
  });

  it("are none of several lines in one group, of open ones, of names that a program gave, and of what is not drawn", async () => {
    const found = await svg(`<g id="walls">${SQUARE}<path d="M9 9h4v4h-4z"/></g><g id="door"><path d="M0 0h4v4"/></g>
      <g id="g7">${SQUARE}</g><g id="layer1">${SQUARE}</g><path id="path4" d="M0 0h1v1z"/>
      <defs><g id="symbol">${SQUARE}</g></defs><g id="hidden" display="none">${SQUARE}</g>`);
    expect(names(found)).toEqual([]);
  });

  it("have names of 60 visible characters at most, each once, and never more than a plan may have", async () => {
    const titled = (title: string) => `<path d="M0 0h4v4h-4z"><title>${title}</title></path>`;
    const odd = await svg(
      [titled("dock"), titled("dock"), titled("x".repeat(90)), titled("a&#x202E;b&#x200B;"), titled(" ")].join(""),
    );
    expect(names(odd)).toEqual(["dock", "dock 2", "x".repeat(60), "ab"]);
    const many = await svg(Array.from({ length: 400 }, (_, at) => titled(`area ${at}`)).join(""));
    expect(many.areas).toHaveLength(200);
  });

  it("that are drawn finely are simplified, and leave the lines their share of the points", async () => {
    const points = Array.from({ length: 4_000 }, (_, at) => {
      const angle = (at / 4_000) * 2 * Math.PI;
      return `${100 * Math.cos(angle)},${100 * Math.sin(angle)}`;
    });
    const found = await svg(`<polygon points="${points.join(" ")}"><title>pond</title></polygon>
      <polygon points="${[...points, ...points].join(" ")}"><title>noise</title></polygon>`);
    expect(names(found)).toEqual(["pond"]);
    const corners = found.areas[0]?.corners ?? [];
    expect(corners.length).toBeGreaterThan(20);
    expect(corners.length).toBeLessThanOrEqual(90);
    expect(found.lines.flat().length + corners.length).toBeLessThanOrEqual(POINTS_MAX);
  });
});

describe("U-1110 named areas of a DXF", () => {
  const chain = (layer: string, closed: boolean) =>
    `0\nLWPOLYLINE\n8\n${layer}\n90\n3\n70\n${closed ? 1 : 0}\n10\n0\n20\n0\n10\n4\n20\n0\n10\n4\n20\n3\n`;
  const dxf = (entities: string) => drawing("plan.dxf", `0\nSECTION\n2\nENTITIES\n${entities}0\nENDSEC\n0\nEOF\n`);

  it("are the closed lines that are alone on their layer, with its name", async () => {
    const found = await dxf(
      chain("Loading dock", true) +
        "0\nTEXT\n8\nLoading dock\n10\n1\n20\n1\n40\n1\n1\nhere\n" +
        chain("walls", true) +
        chain("walls", true) +
        chain("door", false) +
        chain("0", true),
    );
    expect(found.areas).toEqual([
      {
        name: "Loading dock",
        corners: [
          [0, 0],
          [4, 0],
          [4, 3],
        ],
      },
    ]);
    expect(found.lines.length).toBeGreaterThan(0);
  });
});

describe("U-1110 areas of a drawing on their site", () => {
  it("are left out where their edge crosses itself, and take the place of those with their names", async () => {
    const found = await svg(`<g id="bow"><polygon points="0 0 4 4 4 0 0 4"/></g><g id="dock">${SQUARE}</g>`);
    const old = { name: "dock", corners: [[7, 7]] as [number, number][] };
    const yard = { name: "yard", corners: [] };
    const texts = { metres_per_unit: "0.5", x_m: "0", y_m: "0", turn_deg: "0" };
    const plan = withDrawing({ frame: "map", walls: [], areas: [old, yard] }, { file: found, texts });
    expect(plan?.areas.map(({ name }) => name)).toEqual(["yard", "dock"]);
    expect(plan?.areas[1]?.corners).toContainEqual([2, 2]);
    expect(plan?.walls).toHaveLength(2);
    expect(
      withDrawing(plan ?? { frame: "map", walls: [], areas: [] }, { file: found, texts: { ...texts, x_m: "x" } }),
    ).toBe(null);
  });

  it.each([
    [
      [
        [0, 0],
        [4, 0],
        [4, 4],
      ],
      true,
    ],
    [
      [
        [0, 0],
        [4, 0],
      ],
      false,
    ],
    [
      [
        [0, 0],
        [4, 0],
        [2, 0],
      ],
      false,
    ],
    [
      [
        [0, 0],
        [4, 4],
        [4, 0],
        [0, 4],
      ],
      false,
    ],
    [
      [
        [0, 0],
        [4, 0],
        [4, 4],
        [2, 0],
        [0, 4],
      ],
      false,
    ],
  ] as [[number, number][], boolean][])("have a simple edge: %j is %s", (corners, simple) =>
    expect(isSimple(corners)).toBe(simple),
  );
});
