// Many missions in the browser: how soon their screen is usable, and whether the graph follows the hand.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { assertClean, openDesk } from "./desk.mjs";
import { COUNTS, install, judge, missionFiles } from "./graph-speed.mjs";
import { until } from "./server.mjs";
import { browser, server } from "./site.mjs";

for (const count of COUNTS) {
  test(`U-2603 PERF-14 ${count} missions are usable at once, dragged, pulled, zoomed and tidied`, async () => {
    const folder = join(server.folder, "agents/main/missions");
    await mkdir(folder, { recursive: true });
    await Promise.all(missionFiles(count).map(([id, text]) => writeFile(join(folder, `${id}.md`), text)));
    await until("all files", async () => (await server.call("mission_graph")).nodes.length >= count);
    const desk = await openDesk(browser, server, { route: "/alarms" });
    await desk.page.evaluate(install);
    const run = (name, ...input) => desk.page.evaluate(([of, args]) => window.graphSpeed[of](...args), [name, input]);
    await judge(run, count);
    assertClean(desk);
    await desk.close();
  });
}
