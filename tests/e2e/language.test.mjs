// German as the language of the window: chosen in Admin, at once, on every screen, and within the room there is.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { assertClean, findings, goTo, openDesk } from "./desk.mjs";
import { until } from "./server.mjs";
import { browser, desk, server } from "./site.mjs";

/** A screen of each kind, and words that only its German form has. */
const SCREENS = [
  ["/overview", "Erste Schritte"],
  ["/missions", "Nichts läuft"],
  ["/world", "Weltzustand"],
  ["/world/topics", "Empfangene Topics"],
  ["/approvals", "Nichts wartet"],
  ["/alarms", "Unquittiert"],
  ["/alarms/figures", "Alarmkennzahlen"],
  ["/beliefs", "Noch keine Annahmen"],
  ["/memory", "Das Gedächtnis bewahrt"],
  ["/jobs", "Kein Auftrag ist geplant"],
  ["/safety", "Dauergenehmigungen"],
  ["/safety/arm-1", "Geltende Grenzen von arm-1"],
  ["/admin/providers", "Anbieter von Sprachmodellen"],
  ["/admin/access", "Neues Token"],
  ["/admin/about", "kein Not-Halt im Sinne der ISO 13850"],
];

const KEYS = new Set(
  keysOf(JSON.parse(await readFile(new URL("../../ui/src/locales/en.json", import.meta.url), "utf8"))),
);

function keysOf(texts, path = "") {
  return Object.entries(texts).flatMap(([key, text]) =>
    typeof text === "string" ? [`${path}${key}`] : keysOf(text, `${path}${key}.`),
  );
}

const choose = (page, name) =>
  page
    .getByRole("radiogroup", { name: /^(Language|Sprache)$/ })
    .getByRole("radio", { name })
    .press("Enter");
const textOf = (page) => page.locator("body").innerText();

/** Texts in these parts of the window that need more room than their box has. */
function tooWide(page, ...parts) {
  return page.evaluate((selectors) => {
    const found = [];
    for (const element of document.querySelectorAll(selectors.flatMap((part) => [part, `${part} *`]).join())) {
      const own = [...element.childNodes].filter(({ nodeType, data }) => nodeType === Node.TEXT_NODE && data.trim());
      const box = element.getBoundingClientRect();
      if (own.length === 0 || box.width <= 1 || element.closest(".visually-hidden")) continue;
      // A sentence of the station may be of any length, and ends in dots where it is cut.
      const isCut = (one) =>
        one !== null && (getComputedStyle(one).textOverflow === "ellipsis" || isCut(one.parentElement));
      if (isCut(element)) continue;
      const range = document.createRange();
      range.selectNodeContents(element);
      const { left, right } = range.getBoundingClientRect();
      // The second line of a cell may reach below its neighbour, which has none.
      const outer = element.closest("a, button, table, p, h1, h2, h3") ?? element;
      const room = outer.getBoundingClientRect();
      if (right > room.right + 1 || left < room.left - 1) found.push(element.textContent);
    }
    return found;
  }, parts);
}

test("U-2006 German is chosen in Admin, spoken at once, and remembered", async () => {
  const { page, at } = desk;
  await goTo(page, "/admin/appearance");
  await at("appearance").waitFor();
  await choose(page, "Deutsch");
  await page.getByText("Farbschema", { exact: true }).waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.lang), "de");
  assert.deepEqual(await findings(page), []);
  await page.reload();
  await page.getByText("Farbschema", { exact: true }).waitFor();
});

for (const [route, words] of SCREENS)
  test(`U-2006 ${route} is in German, and shows the key of no sentence`, async () => {
    const { page } = desk;
    await goTo(page, route);
    await page.getByText(words).first().waitFor();
    const text = await textOf(page);
    assert.deepEqual(
      text.split(/\s+/).filter((word) => KEYS.has(word)),
      [],
    );
  });

test("U-1602 U-2006 a limit is read and written with the comma, and a doubtful number is refused", async () => {
  const { page } = desk;
  await goTo(page, "/safety/rover-1");
  await page.getByRole("button", { name: "Grenze hinzufügen…" }).click();
  await page.getByLabel("Art").selectOption({ label: "Geschwindigkeit" });
  const field = page.getByLabel("Höchstgeschwindigkeit", { exact: true });
  await field.fill("1.500");
  await page.getByText("Ohne Tausendertrennzeichen schreiben.").waitFor();
  await field.fill("0,25");
  await page.getByText("Ohne Tausendertrennzeichen schreiben.").waitFor({ state: "detached" });
  await page.keyboard.press("Escape");
});

test("U-206 U-2006 German fits the smallest window: rail, bars, dock and the sheet of a stop", async () => {
  const small = await openDesk(browser, server);
  const { page, at } = small;
  await page.setViewportSize({ width: 1280, height: 800 });
  await goTo(page, "/admin/appearance");
  await at("appearance").waitFor();
  await choose(page, "Deutsch");
  await page.getByText("Farbschema", { exact: true }).waitFor();
  await goTo(page, "/overview");
  await page.getByText("Erste Schritte").waitFor();
  const bars = ["nav", "header", "footer", "[data-region=dock]", "[data-testid=stop-all]"];
  assert.deepEqual(await tooWide(page, ...bars), []);
  await at("stop-all").click();
  await page.getByText("Alle 4 gestoppt").waitFor();
  assert.deepEqual(await tooWide(page, "[data-testid=stop-all]", "[data-testid=stop-panel]"), []);
  assert.match(await at("stop-all").innerText(), /GESTOPPT 4\/4/);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
  assertClean(small);
  await small.close();
});

test("U-2006 U-1604 what the station says by a code is German: a denial, an alarm and a refusal", async () => {
  const { page, at } = desk;
  await goTo(page, "/safety/rover-1/goal");
  await at("goal-judgement")
    .filter({ hasText: /Verweigert: (Der Roboter ist nicht scharf|Niemand steuert den Roboter)/ })
    .waitFor();
  await server.call("inject_fault", { target: "rover-2", fault: "drop_link", on: true });
  await goTo(page, "/alarms");
  const line = page.locator("main tbody tr").filter({ hasText: "rover-2: Der Roboter antwortet nicht" });
  await line.filter({ hasText: "Verbindung wiederherstellen" }).waitFor();
  // The station's sentence has the names and numbers of that moment.
  assert.match(await line.locator('[lang="en"]').innerText(), /rover-2/);
  await server.call("inject_fault", { target: "rover-2", fault: "drop_link", on: false });
});

test("U-2006 English comes back at once", async () => {
  const { page, at } = desk;
  await goTo(page, "/admin/appearance");
  await at("appearance").waitFor();
  await choose(page, "English");
  await page.getByText("Theme", { exact: true }).waitFor();
  await until("English", async () => (await page.evaluate(() => document.documentElement.lang)) === "en");
});

test("U-110 the window spoke to its station only, within its policy and without an error", () => assertClean(desk));
