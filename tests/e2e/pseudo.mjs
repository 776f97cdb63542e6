// A language that nobody speaks, made of the English catalogue: every letter has an accent, every sentence is longer by two
// fifths, and brackets show where it begins and ends. It takes the place of the German file on its way to the window.
import { readFile } from "node:fs/promises";

const ENGLISH = new URL("../../ui/src/locales/en.json", import.meta.url);
/** File of the built window that holds the German catalogue. */
const GERMAN_FILE = /\/assets\/de-[\w-]{8}\.js$/;
/** Sentences of the station's codes, which English has none of, and the file of the built window that holds them. */
const STATION = new URL("../../ui/src/locales/station.de.json", import.meta.url);
const STATION_FILE = /\/assets\/station\.de-[\w-]{8}\.js$/;
/** Sentences grow by this part of their length; German needs about as much. */
const LONGER = 0.4;
const PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const ACCENTED = "åƀçðéƒĝĥîĵķļɱñöþɋŕšţûṽŵẋýžÅƁÇÐÉƑĜĤÎĴĶĻṀÑÖÞɊŔŠŢÛṼŴẊÝŽ";
const ACCENTS = new Map([...PLAIN].map((letter, place) => [letter, [...ACCENTED][place]]));
/** Words that a sentence is made longer with. */
const FILL = "öñé ţŵö ţĥŕéé ƒöûŕ ƒîṽé šîẋ šéṽéñ éîĝĥţ ñîñé ţéñ ";
/** Typed to the command interpreter, which reads English. */
const COMMANDS = new Set(["steps.say_goal", "steps.say_denial"]);

/** A sentence in that language. What stands between double braces is a value. */
export function pseudo(sentence, longer = LONGER) {
  const letters = sentence.replaceAll(/\{\{.*?\}\}/g, "").length;
  const fill = FILL.repeat(Math.ceil((letters * longer) / FILL.length)).slice(0, Math.ceil(letters * longer));
  const parts = sentence.split(/(\{\{.*?\}\})/);
  const said = parts.map((part) =>
    part.startsWith("{{") ? part : [...part].map((letter) => ACCENTS.get(letter) ?? letter).join(""),
  );
  return `[${said.join("")} ${fill.trimEnd()}]`;
}

function pseudoCatalogue(texts, longer = LONGER, path = "") {
  return Object.fromEntries(
    Object.entries(texts).map(([key, text]) => {
      const at = `${path}${key}`;
      if (typeof text !== "string") return [key, pseudoCatalogue(text, longer, `${at}.`)];
      return [key, COMMANDS.has(at) ? text : pseudo(text, longer)];
    }),
  );
}

/** Makes a window speak it. */
export async function speakPseudo(page) {
  const serve = async (file, source, longer) => {
    const catalogue = pseudoCatalogue(JSON.parse(await readFile(source, "utf8")), longer);
    const body = `const catalogue = ${JSON.stringify(catalogue)};\nexport { catalogue as default };`;
    await page.route(file, (route) => route.fulfill({ contentType: "text/javascript", body }));
  };
  await serve(GERMAN_FILE, ENGLISH);
  // They are German, and as long as that.
  await serve(STATION_FILE, STATION, 0);
  await page.evaluate(() => localStorage.setItem("quarterdeck.language", "de"));
  await page.reload();
  await page.locator("nav").getByText(pseudo("Overview"), { exact: true }).waitFor();
}

/** The part of a text that stands in no brackets. */
export function outside(text) {
  let rest = text;
  for (let before = ""; before !== rest;) {
    before = rest;
    rest = rest.replaceAll(/\[[^[\]]*\]/g, " ");
  }
  return rest;
}

/** Texts of a page, and its names for screen readers; those of STOP ALL are compiled in, and left out. */
export function textsOf(page) {
  return page.evaluate(() => {
    const STOP = "[data-testid=stop-panel], [data-testid=stop-all]";
    const found = new Set();
    const count = (text, mark) => text.split(mark).length;
    /** True for a sentence with a name of a file's entry in it: its brackets lie in two texts. */
    const isBroken = (element) =>
      [...element.childNodes].some(
        ({ nodeType, data }) => nodeType === Node.TEXT_NODE && count(data, "[") !== count(data, "]"),
      );
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement;
      if (parent.closest(`script, style, svg, ${STOP}`)) continue;
      const sentence = [parent, parent.closest("code")?.parentElement].find((element) => element && isBroken(element));
      const text = sentence?.textContent ?? node.data;
      if (parent.tagName === "OPTION" || parent.checkVisibility()) found.add(text.trim());
    }
    for (const name of ["aria-label", "title", "placeholder", "alt"])
      for (const element of document.querySelectorAll(`[${name}]`))
        if (element.checkVisibility() && !element.closest(STOP)) found.add(element.getAttribute(name).trim());
    return [...found];
  });
}

/** Choices whose words are longer than the field that shows them. */
export function cutChoices(page) {
  return page.evaluate(() =>
    [...document.querySelectorAll("select")].flatMap((select) => {
      const [chosen] = select.selectedOptions;
      if (!chosen || !select.checkVisibility() || getComputedStyle(select).textOverflow === "ellipsis") return [];
      // As wide as it would be with that choice alone.
      const probe = select.cloneNode(false);
      probe.append(chosen.cloneNode(true));
      probe.removeAttribute("id");
      Object.assign(probe.style, {
        position: "absolute",
        visibility: "hidden",
        width: "auto",
        minWidth: "0",
        maxWidth: "none",
      });
      select.after(probe);
      const by_px = probe.offsetWidth - select.offsetWidth;
      probe.remove();
      return by_px > 1 ? [`${chosen.text}: ${by_px} px wider than its choice`] : [];
    }),
  );
}

/** Words on the edges of a graph that lie under one of its nodes. */
export function coveredLabels(page) {
  return page.evaluate(() => {
    const boxesOf = (selector) =>
      [...document.querySelectorAll(selector)].map((element) => [element, element.getBoundingClientRect()]);
    const nodes = boxesOf(".react-flow__node");
    return boxesOf(".react-flow__edge-textwrapper").flatMap(([label, box]) => {
      const over = nodes.find(
        ([, node]) =>
          node.left < box.right - 1 &&
          box.left + 1 < node.right &&
          node.top < box.bottom - 1 &&
          box.top + 1 < node.bottom,
      );
      return over ? [`${label.textContent}: under ${over[0].dataset.id}`] : [];
    });
  });
}

/** Texts that are cut off, or reach out of their box, and not by intent: no dots at their end, nothing to scroll. */
export function cutTexts(page) {
  return page.evaluate(() => {
    const found = new Set();
    const ownTexts = (element) =>
      [...element.childNodes].filter(({ nodeType, data }) => nodeType === Node.TEXT_NODE && data.trim());
    const isHidden = (element) => element.closest("svg, canvas, [aria-hidden=true]") || !element.checkVisibility();
    const cuts = (overflow) => overflow === "hidden" || overflow === "clip";
    /** The box that a text pokes out of, and how far in pixels. */
    const outOf = (element, text) => {
      for (let box = element; box !== document.body; box = box.parentElement) {
        const style = getComputedStyle(box);
        if (style.textOverflow === "ellipsis" || style.webkitLineClamp !== "none") return null;
        if (["auto", "scroll"].includes(style.overflowX) || style.position === "fixed") return null;
        const room = box.getBoundingClientRect();
        // Words for screen readers alone.
        if (style.clipPath !== "none" || (style.display !== "inline" && room.width <= 1)) return null;
        const bounds = box === element || cuts(style.overflowX) || box.matches("button, a, td, th, label, li");
        // A space hangs at the end of a line that keeps its spaces.
        const most_px = style.whiteSpace.startsWith("pre") ? 6 : 1;
        const by_px = Math.max(text.right - room.right, room.left - text.left);
        if (style.display !== "inline" && style.display !== "contents" && bounds && by_px > most_px)
          return { box, by_px };
      }
      return null;
    };
    for (const element of document.body.querySelectorAll("*")) {
      if (isHidden(element)) continue;
      for (const node of ownTexts(element)) {
        const range = document.createRange();
        range.selectNodeContents(node);
        const out = outOf(element, range.getBoundingClientRect());
        if (out !== null) found.add(`${node.data.trim()}: ${Math.round(out.by_px)} px out of its ${out.box.localName}`);
      }
      const { overflowY, clipPath, textOverflow, webkitLineClamp } = getComputedStyle(element);
      const isLow = cuts(overflowY) && clipPath === "none" && textOverflow !== "ellipsis" && webkitLineClamp === "none";
      const below_px = element.scrollHeight - element.clientHeight;
      if (isLow && element.clientWidth > 1 && ownTexts(element).length > 0 && below_px > 1)
        found.add(`${element.textContent.trim()}: ${below_px} px below its ${element.localName}`);
    }
    return [...found];
  });
}
