// The record of everything that was done, as it is read and verified in the window.
import assert from "node:assert/strict";
import { test } from "node:test";
import { assertClean, findings, goTo, openDesk } from "./desk.mjs";
import { browser, desk, server } from "./site.mjs";
import { until } from "./until.mjs";

test("U-1704 FU-20 what was done stands in the audit with actor, operation, subject and outcome", async () => {
  const { page, at } = desk;
  await server.call("hold_robot", { robot: "rover-1" });
  await goTo(page, "/admin/audit");
  const line = at("audit-records").getByRole("row").filter({ hasText: "hold robot" }).first();
  await line.waitFor();
  assert.match(await line.textContent(), /rover-1/);
  assert.deepEqual(await findings(page), []);
});

test("U-1704 a record opens by key and by click to its subject, its hashes and its codes", async () => {
  const { page, at } = desk;
  const line = at("audit-records").getByRole("row").filter({ hasText: "hold robot" }).first();
  const open = line.getByRole("button");
  await open.focus();
  await page.keyboard.press("Enter");
  const details = page.locator("[data-testid^=audit-details-]");
  await details.waitFor();
  assert.equal(await open.getAttribute("aria-expanded"), "true");
  assert.match(await details.textContent(), /hold_robot.*rover-1.*Hash of this record[0-9a-f]{64}/s);
  assert.deepEqual(await findings(page), []);
  await page.keyboard.press(" ");
  await details.waitFor({ state: "detached" });
  await line.click();
  await details.waitFor();
  await line.click();
  await details.waitFor({ state: "detached" });
});

test("U-1704 the filter is reached by a key, and Verify says up to which record the chain holds", async () => {
  const { page, at } = desk;
  await at("audit-records").waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("hold robot");
  await page.getByText(/^\d+ match(es)?$/).waitFor();
  await page.keyboard.press("Escape");
  await at("verify-audit").press("Enter");
  await at("audit-check")
    .filter({ hasText: /Intact up to record \d+/ })
    .waitFor();
});

test("U-1704 beside the dock at 1280 × 800 a third of the audit is the subjects', and nothing is out of sight", async () => {
  const { page, at } = desk;
  const before = page.viewportSize();
  await page.setViewportSize({ width: 1280, height: 800 });
  await goTo(page, "/admin/audit");
  await page.locator("[data-region=dock]").waitFor();
  await at("audit-records").waitFor();
  await until("a third for the subjects, and nothing out of sight", () =>
    page.evaluate(() => {
      const table = document.querySelector("[data-testid=audit-records]");
      const widths = [...table.querySelectorAll("thead th")].map((head) => head.getBoundingClientRect().width);
      const total = widths.reduce((sum, width) => sum + width, 0);
      return widths[4] > total / 3 && table.parentElement.scrollWidth === table.parentElement.clientWidth;
    }),
  );
  await page.setViewportSize(before);
});

for (const theme of ["light", "dark"]) {
  test(`U-2001 no finding in the audit in the ${theme} theme at 1280 × 800`, async () => {
    const other = await openDesk(browser, server, { route: "/admin/audit", theme });
    await other.page.setViewportSize({ width: 1280, height: 800 });
    await other.at("audit-records").waitFor();
    assert.deepEqual(await findings(other.page), []);
    await until("nothing out of sight", () =>
      other.page.evaluate(() => document.documentElement.scrollWidth === document.documentElement.clientWidth),
    );
    await other.close();
  });
}

test("U-110 the window spoke to its station only, within its policy and without an error", () => assertClean(desk));
