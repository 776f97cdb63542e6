// Access: an Admin makes a token in the window, somebody else signs in with it, and it is revoked. The PIN of Admins.
import assert from "node:assert/strict";
import { test } from "node:test";
import { assertClean, findings, goTo, openDesk, tabTo } from "./desk.mjs";
import { until } from "./server.mjs";
import { browser, desk, server } from "./site.mjs";

test("ATT-11 a token is made by keys alone, shown once, and signs somebody in with its role", async () => {
  const { page, at } = desk;
  await goTo(page, "/admin/access");
  await at("token-label").waitFor();
  assert.deepEqual(await findings(page), []);
  await tabTo(page, '[data-testid="token-label"]');
  await page.keyboard.type("Tablet at gate 2");
  await page.keyboard.press("Enter");
  const token = await at("token-text").textContent();
  assert.match(token, /^qd_[0-9a-f]{12}_[\w-]{43}$/);
  assert.deepEqual(await findings(page), []);

  const tablet = await openDesk(browser, { ...server, token });
  await goTo(tablet.page, "/admin/access");
  await until("the role", async () => /Operator/.test((await tablet.page.locator("body").textContent()) ?? ""));
  assert.equal(await tablet.at("admin-grant").count(), 0, "nothing raises the role of a token");
  assert.equal(await tablet.at("token-make").isDisabled(), true);
  await at("token-done").click();
  assert.equal((await page.content()).includes(token), false, "nothing shows it again");

  const [row] = await server.call("list_tokens");
  await at(`token-revoke-${row.id}`).click();
  await at(`token-revoke-yes-${row.id}`).click();
  await page.getByText("No tokens").waitFor();
  await tablet.page
    .getByText(/Sign in/)
    .first()
    .waitFor();
  await tablet.close();
});

test("ATT-11 a name that the station uses itself is refused at its field", async () => {
  const { page, at } = desk;
  await at("token-label").fill("Supervision");
  await at("token-make").click();
  await page.getByText("Supervision is a name of the station itself; choose another.").waitFor();
});

test("ATT-37 whoever acts as Admin is asked for the PIN once one is set", async () => {
  const { page, at } = desk;
  await page.getByText("Anyone at this desk can act as Admin.").waitFor();
  await at("pin-new").fill("correct-horse");
  await at("pin-set").click();
  await page.getByText("The PIN is set.").waitFor();
  assert.equal(await at("pin-new").inputValue(), "", "the window keeps nothing of it");
  await server.call("end_admin");
  await page.reload();
  await goTo(page, "/admin/access");
  const act = page.getByRole("main").getByRole("button", { name: "Act as Admin" });
  await act.click();
  const field = page.getByRole("main").getByTestId("admin-pin");
  await field.fill("wrong-horse");
  await page.keyboard.press("Enter");
  await page.getByText(/This is not the Admin PIN\. 4 more tries/).waitFor();
  await field.fill("correct-horse");
  await page.keyboard.press("Enter");
  await page
    .getByRole("main")
    .getByText(/Admin for/)
    .waitFor();
  await at("pin-remove").click();
  await at("pin-remove-yes").click();
  await page.getByText("A PIN is no longer asked for.").waitFor();
  assertClean({ problems: desk.problems.filter((problem) => !/401|403|422/.test(problem)) });
});
