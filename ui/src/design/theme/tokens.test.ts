import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const SOURCE = join(import.meta.dirname, "../..");
const TOKENS = readFileSync(join(SOURCE, "design/theme/tokens.css"), "utf8");

type Tokens = ReadonlyMap<string, string>;

function colours(css: string): Tokens {
  return new Map(
    [...css.matchAll(/(--[a-z0-9-]+): (#[0-9a-f]{6});/g)].map((found) => [found[1] ?? "", found[2] ?? ""]),
  );
}

const [lightCss = "", darkCss = ""] = TOKENS.split("@media (prefers-color-scheme: dark)");
const light = colours(lightCss);
const dark = new Map([...light, ...colours(darkCss)]);

/** Contrast of WCAG 2.2, from relative luminance. */
function contrast(one: string, other: string): number {
  const [bright = 0, dim = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (bright + 0.05) / (dim + 0.05);
}

function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

const TEXT_PAIRS = [
  ["--text", "--ground"],
  ["--text", "--panel"],
  ["--text", "--raised"],
  ["--text", "--select-fill"],
  ["--text-muted", "--ground"],
  ["--text-muted", "--panel"],
  ["--text-muted", "--raised"],
  ["--text-muted", "--stale-hatch"],
  ["--focus", "--panel"],
  ["--stop-rest-text", "--stop-rest-fill"],
  ["--stop-active-text", "--stop-active-fill"],
  ["--alarm-p1-text", "--alarm-p1-fill"],
  ["--alarm-p2-text", "--alarm-p2-fill"],
  ["--alarm-p3-text", "--alarm-p3-fill"],
  ["--alarm-p4-text", "--alarm-p4-fill"],
] as const;

const GRAPHIC_PAIRS = [
  ["--line", "--ground"],
  ["--line", "--panel"],
  ["--focus", "--ground"],
  ["--focus", "--select-fill"],
  ["--predicted", "--panel"],
  ["--predicted", "--raised"],
  ["--stop-rest-fill", "--ground"],
  ["--stop-active-fill", "--ground"],
  ["--alarm-p1-fill", "--ground"],
  ["--alarm-p2-fill", "--ground"],
  ["--alarm-p4-fill", "--ground"],
] as const;

describe.each([
  ["light", light],
  ["dark", dark],
])("U-301 contrast in the %s theme", (_name, tokens) => {
  it.each(TEXT_PAIRS)("text %s on %s reaches 4.5", (text, ground) =>
    expect(contrast(tokens.get(text) ?? "", tokens.get(ground) ?? "")).toBeGreaterThanOrEqual(4.5),
  );
  it.each(GRAPHIC_PAIRS)("graphic %s on %s reaches 3", (graphic, ground) =>
    expect(contrast(tokens.get(graphic) ?? "", tokens.get(ground) ?? "")).toBeGreaterThanOrEqual(3),
  );
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
