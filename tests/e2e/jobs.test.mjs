// Jobs: made with a preview of what they mean, paused, run, cancelled, and shown with why they failed.
import assert from "node:assert/strict";
import { test } from "node:test";
import { assertClean, findings, goTo, openDesk, tabTo } from "./desk.mjs";
import { until } from "./server.mjs";
import { browser, desk, server } from "./site.mjs";

const named = async (name) => (await server.call("list_jobs")).find((job) => job.name === name);

test("J-13 without a job the screen says what one is, with an example", async () => {
  await goTo(desk.page, "/jobs");
  await desk.page.getByText("No job is scheduled").waitFor();
});

test("J-04 J-02 while it is written, the schedule is said in words with its next times, or what is wrong with it", async () => {
  const { page, at } = desk;
  await at("job-new").click();
  await at("job-name").fill("night summary");
  await at("job-prompt").fill("status");
  await at("job-zone").fill("Europe/Berlin");
  await at("preview").getByText("Europe/Berlin").waitFor();
  assert.equal(await at("preview").locator("li").count(), 5);
  await at("job-cron").fill("99 7 * * *");
  await at("preview").getByText("invalid_cron").waitFor();
  assert.equal(await at("job-cron").getAttribute("aria-invalid"), "true");
  await at("job-cron").fill("0 7 * * MON-FRI");
  await at("preview").locator("li").first().waitFor();
  await at("job-submit").click();
  await page.getByRole("heading", { name: "night summary" }).waitFor();
  const job = await named("night summary");
  assert.equal(job.time_zone, "Europe/Berlin");
  await at("jobs").getByText(job.words).waitFor();
});

test("J-12 the form says what its operation does, and fills in an example of its input", async () => {
  const { page, at } = desk;
  await at("job-new").click();
  await page.getByText("Run an operation").click();
  await at("job-operation").fill("pause_job");
  await at("operation-hint").getByText("Pauses a job").waitFor();
  await at("operation-hint").getByRole("button").click();
  assert.equal(await at("job-input").inputValue(), '{"id":"job-1"}');
  await page.getByRole("button", { name: "Cancel" }).click();
});

test("J-12 a name that is taken is refused with its code", async () => {
  const { at } = desk;
  await at("job-new").click();
  await at("job-name").fill("night summary");
  await at("job-prompt").fill("status");
  await at("job-submit").click();
  await desk.page.getByText("code job_exists").waitFor();
  await desk.page.getByRole("button", { name: "Cancel", exact: true }).click();
});

test("J-13 a job is paused, resumed and run by keyboard, and its run is in the table", async () => {
  const { page, at } = desk;
  await at("job-night summary").getByRole("link").click();
  await tabTo(page, '[data-testid="pause_job"]');
  await page.keyboard.press("Enter");
  await until("paused", async () => (await named("night summary")).state === "paused");
  // A button that waits for the answer before takes no focus.
  const press = async (act) => {
    await page.locator(`[data-testid="${act}"]:enabled`).focus();
    await page.keyboard.press("Enter");
  };
  await press("resume_job");
  await until("pending", async () => (await named("night summary")).state === "pending");
  await press("run_job");
  await at("runs").getByText("completed").waitFor();
});

test("J-13 cancelling is for good and asked twice", async () => {
  const { at } = desk;
  await at("cancel_job").click();
  await desk.page.locator('[data-testid="cancel-confirm"]:enabled').click();
  await until("cancelled", async () => (await named("night summary")).state === "cancelled");
  await desk.page.getByRole("radio", { name: /^Ended/ }).click();
  await at("job-night summary").getByText("cancelled").waitFor();
});

test("U-2001 no serious finding, in both themes, with a form and a job in sight", async () => {
  const { id } = await named("night summary");
  for (const theme of ["light", "dark"]) {
    const other = await openDesk(browser, server, { route: "/jobs/new", theme });
    await other.at("preview").locator("li").first().waitFor();
    assert.deepEqual(await findings(other.page), [], `${theme}, form`);
    await goTo(other.page, `/jobs/${id}`);
    await other.at("runs").waitFor();
    assert.deepEqual(await findings(other.page), [], `${theme}, job`);
    assertClean(other);
    await other.close();
  }
});

test("U-807 a job that is due within a day stands on the overview, and leads to itself", async () => {
  const { page, at } = desk;
  await server.call("schedule_task", { name: "hourly look", prompt: "status", cron_schedule: "0 * * * *" });
  await goTo(page, "/overview");
  const line = at("coming-up").getByRole("link", { name: /hourly look/ });
  await line.waitFor();
  assert.deepEqual(await findings(page), []);
  await line.click();
  const { id } = await named("hourly look");
  await page.waitForURL((url) => url.hash === `#/jobs/${id}`);
  await server.call("cancel_job", { id });
});

test("U-110 the window spoke to its station only, within its policy", () => {
  // The browser itself notes the refusals that were asked for here.
  assert.deepEqual(
    desk.problems.filter((problem) => !problem.startsWith("console: Failed to load resource")),
    [],
  );
});
