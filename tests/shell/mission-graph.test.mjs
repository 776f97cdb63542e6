// Many missions in the real window: how soon their screen is usable, and whether the graph follows the hand.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { COUNTS, install, judge, missionFiles } from "../e2e/graph-speed.mjs";
import { DEADLINE_MS, openWindow, until } from "./window.mjs";

let page;
let close;
let dataDir;

before(async () => {
  ({ page, close, dataDir } = await openWindow());
  await page.browser.setTimeout({ script: DEADLINE_MS });
});
after(async () => close?.());

/** Calls a function of `window.graphSpeed`. */
async function run(name, ...input) {
  const { value, error } = await page.browser.executeAsync(
    (of, args, done) => {
      window.graphSpeed[of](...args).then(
        (value) => done({ value }),
        (thrown) => done({ error: String(thrown) }),
      );
    },
    name,
    input,
  );
  if (error !== undefined) throw new Error(`${name}: ${error}`);
  return value;
}

for (const count of COUNTS)
  test(`U-2603 PERF-14 ${count} missions are usable at once, dragged, pulled, zoomed and tidied`, async () => {
    const folder = join(dataDir, "agents/main/missions");
    await mkdir(folder, { recursive: true });
    await Promise.all(missionFiles(count).map(([id, text]) => writeFile(join(folder, `${id}.md`), text)));
    await until("all files", async () => (await page.ask("mission_graph")).nodes?.length >= count);
    // What the page knows from a look at fewer of them is not to count.
    await page.browser.execute(() => (location.hash = "#/alarms"));
    await page.loadedAnew(() => page.browser.execute(() => location.reload()));
    await page.shown("stop-all");
    await page.browser.execute(install);
    await judge(run, count);
  });
