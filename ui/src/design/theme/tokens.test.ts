import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hexOf, parseOklch } from "./oklch";

const SOURCE = join(import.meta.dirname, "../..");
const TOKENS = readFileSync(join(SOURCE, "design/theme/tokens.css"), "utf8");

type Tokens = ReadonlyMap<string, string>;

/** Blocks of the sheet, by their selector. */
const BLOCKS = new Map(
  [...TOKENS.replaceAll(/\/\*[\s\S]*?\*\//g, "").matchAll(/([^{}]+)\{([^{}]*)\}/g)].map((found) => [
    (found[1] ?? "").trim().replaceAll(/\s+/g, " "),
    found[2] ?? "",
  ]),
);

/** The colours that apply under these selectors, later ones over earlier ones. */
function colours(...selectors: readonly string[]): Tokens {
  return new Map(
    selectors.flatMap((selector) => {
      const block = BLOCKS.get(selector);
      if (block === undefined) throw new Error(`tokens.css has no block ${selector}`);
      return [...block.matchAll(/(--[a-z0-9-]+): (oklch\([^)]*\));/g)].map((found): [string, string] => [
        found[1] ?? "",
        found[2] ?? "",
      ]);
    }),
  );
}

const LIGHT = ':root, :root[data-theme="light"]';
const DARK = ':root[data-theme="dark"]';
const MORE = ':root[data-contrast="more"]';
const SETS = {
  light: colours(LIGHT),
  dark: colours(LIGHT, DARK),
  "light, more contrast": colours(LIGHT, MORE),
  "dark, more contrast": colours(LIGHT, DARK, MORE, ':root[data-theme="dark"][data-contrast="more"]'),
};

/** Contrast of WCAG 2.2, from relative luminance. */
function contrast(tokens: Tokens, one: string, other: string): number {
  const [bright = 0, dim = 0] = [luminance(tokens, one), luminance(tokens, other)].sort((a, b) => b - a);
  return (bright + 0.05) / (dim + 0.05);
}

function luminance(tokens: Tokens, name: string): number {
  const linear = parseOklch(tokens.get(name) ?? "");
  if (!linear) throw new Error(`${name} is no colour`);
  const [r, g, b] = linear;
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

const SURFACES = ["--ground", "--panel", "--raised", "--sunken", "--scene"];
const TINTS = ["--alarm-p1-tint", "--alarm-p2-tint", "--alarm-p3-tint", "--alarm-p4-tint", "--stop-active-tint"];
const FACTS = ["--predicted-tint", "--untrusted-tint"];

/** A token, what it is drawn on, and the least contrast there in each theme: the table of the visual language. */
const TABLE: readonly { token: string; on: readonly string[]; light: number; dark: number; more: number }[] = [
  {
    token: "--text",
    on: [...SURFACES, ...TINTS, ...FACTS, "--control", "--select-fill", "--stale-hatch"],
    light: 10.9,
    dark: 7.9,
    more: 8.7,
  },
  {
    token: "--text-muted",
    on: [...SURFACES, "--control-off", "--select-fill", "--stale-hatch"],
    light: 5.4,
    dark: 5.6,
    more: 7,
  },
  { token: "--line", on: SURFACES, light: 3.4, dark: 3.7, more: 6 },
  { token: "--focus", on: [...SURFACES, "--select-fill"], light: 5, dark: 6.5, more: 6.5 },
  { token: "--predicted", on: [...SURFACES, "--predicted-tint"], light: 5, dark: 8.5, more: 7.5 },
  { token: "--untrusted", on: ["--untrusted-tint"], light: 6.2, dark: 7.8, more: 8 },
  { token: "--sim-hatch", on: ["--ground"], light: 4.6, dark: 5.4, more: 4.5 },
  { token: "--action-fill", on: ["--panel", "--raised"], light: 6, dark: 2.5, more: 2.5 },
  { token: "--stop-rest-fill", on: ["--ground"], light: 14, dark: 15, more: 15 },
  { token: "--stop-active-fill", on: ["--ground", "--panel"], light: 5.9, dark: 3, more: 3 },
  { token: "--alarm-p1-fill", on: ["--ground", "--panel", "--alarm-p1-tint"], light: 5.9, dark: 3, more: 3 },
  { token: "--alarm-p2-fill", on: ["--ground", "--panel", "--alarm-p2-tint"], light: 4, dark: 6, more: 4 },
  { token: "--alarm-p4-fill", on: ["--ground", "--panel", "--alarm-p4-tint"], light: 6.4, dark: 6.5, more: 6 },
  // Text on a fill.
  { token: "--action-text", on: ["--action-fill", "--action-hover"], light: 6.8, dark: 5.3, more: 5.3 },
  { token: "--stop-rest-text", on: ["--stop-rest-fill"], light: 18.5, dark: 16.9, more: 16.9 },
  { token: "--stop-active-text", on: ["--stop-active-fill"], light: 7.5, dark: 4.7, more: 4.7 },
  { token: "--alarm-p1-text", on: ["--alarm-p1-fill"], light: 7.5, dark: 4.7, more: 4.7 },
  { token: "--alarm-p2-text", on: ["--alarm-p2-fill"], light: 5.1, dark: 9.2, more: 5.1 },
  { token: "--alarm-p3-text", on: ["--alarm-p3-fill"], light: 10.5, dark: 13.6, more: 10.5 },
  { token: "--alarm-p4-text", on: ["--alarm-p4-fill"], light: 8.2, dark: 9.8, more: 8.2 },
];

/** Marks, edges and fills: a shape and a word stand beside each, so that 3 is enough; everything else is text. */
const GRAPHICS = /--(line|sim-hatch|action-fill|stop-.*-fill|alarm-p.-fill)$/;

describe.each(Object.entries(SETS))("U-301 contrast, %s", (name, tokens) => {
  it.each(TABLE)("$token on all that it is drawn on", ({ token, on, light, dark, more }) => {
    const asked = name.endsWith("more contrast") ? more : name === "light" ? light : dark;
    for (const surface of on) {
      const found = contrast(tokens, token, surface);
      expect(found, `${token} on ${surface}`).toBeGreaterThanOrEqual(asked);
      if (!GRAPHICS.test(token)) expect(found, `${token} on ${surface}`).toBeGreaterThanOrEqual(4.5);
    }
  });
});

describe("U-301 colours", () => {
  it("of both themes are the same names", () => {
    const names = (selector: string) => [...colours(selector).keys()].sort();
    expect(names(DARK)).toEqual(names(LIGHT));
  });
  it("read as CSS Color 4 says", () => {
    expect(hexOf("oklch(1 0 0)")).toBe("#ffffff");
    expect(hexOf("oklch(0.628 0.2577 29.23)")).toBe("#ff0000");
    expect(hexOf("oklch(0.452 0.3132 264.05)")).toBe("#0000ff");
  });
});

describe("U-301 literals", () => {
  const files = readdirSync(SOURCE, { recursive: true, encoding: "utf8" }).filter(
    (path) =>
      /\.(css|tsx?)$/.test(path) &&
      !path.startsWith("design/theme") &&
      !path.includes(".test.") &&
      !path.startsWith("testing"),
  );
  const LITERAL =
    /#[0-9a-f]{3,8}\b(?![^"'`\n]*#\{)|\b(?:rgb|hsl|oklch)a?\(|(?<![\w.])(?!1px)\d*\.?\d+px\b|font-family:(?!\s*var)/gi;

  it("are in the theme only", () => {
    const found = files.flatMap((path) => {
      const text = readFileSync(join(SOURCE, path), "utf8").replaceAll(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, "");
      return [...text.matchAll(LITERAL)].map((hit) => `${path}: ${hit[0]}`);
    });
    expect(found).toEqual([]);
  });
});
