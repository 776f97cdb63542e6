// Colours of tokens.css as the numbers that WebGL and the contrast test need: neither reads `oklch()`.

/** Linear-light red, green and blue of sRGB, each 0 to 1. */
export type LinearRgb = readonly [number, number, number];

const OKLCH = /^oklch\(\s*([\d.]+)(%?)\s+([\d.]+)\s+([\d.]+)/;

/**
 * Reads `oklch(L C H)`, after CSS Color 4; null for any other text. What sRGB cannot show is clipped. The lightness is a
 * percentage in a style sheet that was made small.
 */
export function parseOklch(text: string): LinearRgb | null {
  const found = OKLCH.exec(text);
  if (!found) return null;
  const [, lightness, percent, size, hue_deg] = found;
  const chroma = Number(size);
  const hue_rad = (Number(hue_deg) * Math.PI) / 180;
  return fromOklab(
    Number(lightness) / (percent === "%" ? 100 : 1),
    chroma * Math.cos(hue_rad),
    chroma * Math.sin(hue_rad),
  );
}

/** `#rrggbb` of a token. Any other text is handed through: it is a colour that everything reads. */
export function hexOf(text: string): string {
  const linear = parseOklch(text);
  if (!linear) return text;
  const digits = linear.map((part) =>
    Math.round(255 * encode(part))
      .toString(16)
      .padStart(2, "0"),
  );
  return `#${digits.join("")}`;
}

function fromOklab(lightness: number, a: number, b: number): LinearRgb {
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    clip(4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short),
    clip(-1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short),
    clip(-0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short),
  ];
}

function encode(linear: number): number {
  return linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055;
}

function clip(part: number): number {
  return Math.min(1, Math.max(0, part));
}
