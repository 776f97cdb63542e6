// Talking to a language model: its words arrive as it says them, tools say what they did, and a person stays in charge.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertClean, findings, goTo, openDesk, say } from "./desk.mjs";
import { gate, MODEL, startModelServer } from "./model-server.mjs";
import { until } from "./server.mjs";
import { browser, desk, server } from "./site.mjs";

let model;

before(async () => {
  model = await startModelServer();
});
after(() => model?.end());

const log = () => desk.page.getByRole("log");
/** What the model was asked in a conversation; whether an answer is enough it is asked beside that, at any time after. */
const asked = () => model.asked.filter(({ body }) => body.tools !== undefined);

test("M-01 the header says what answers as soon as a model is chosen", async () => {
  await server.call("set_provider", {
    id: "box",
    kind: "openai_compatible",
    base: model.base,
    local: true,
    models: [MODEL],
  });
  await server.call("select_model", { provider: "box", model: MODEL });
  await desk.at("agent-model").getByText(MODEL).waitFor();
});

test("U-401 V-01 words of a model are on screen while it goes on speaking, and are markdown without HTML", async () => {
  const more = gate();
  model.answer("The **arm** is ", more.wait, "ready. <img src=x onerror=alert(1)>");
  await say(desk, "How is the arm?");
  await log().locator("[data-streaming=true]").getByText("The arm is").waitFor();
  assert.equal(await log().locator("strong").last().textContent(), "arm");
  more.open();
  await log().getByText("The arm is ready.").waitFor();
  await log().locator("[data-streaming=true]").waitFor({ state: "detached" });
  assert.equal(await log().locator("img").count(), 0);
  await until("the stored reply alone", async () => (await log().getByText("The arm is ready.").count()) === 1);
});

test("M-01 each reply names its model", async () => {
  assert.equal(await desk.at("answered-by").last().textContent(), MODEL);
});

test("U-901 a tool is a row with verb and result, and opens to its arguments by keyboard", async () => {
  model.answer({ call: ["list_world_state", { limit: 3 }] });
  model.answer("I looked.");
  await say(desk, "Look around.");
  await log().getByText("I looked.").waitFor();
  // The row of the stored turn: until it is stored, the row is drawn anew.
  const tool = log().locator("[data-row=tool]").last().getByTestId("tool");
  await tool.getByText("list world state").waitFor();
  await tool.locator("summary").press("Enter");
  await tool.getByText("limit").waitFor();
});

test("U-905 X-02 Stop reply ends it, and what was said stays", async () => {
  const never = gate();
  model.answer("I will now say a lot", never.wait);
  await say(desk, "Talk.");
  await log().getByText("I will now say a lot").waitFor();
  await desk.page.getByText("Ends the reply; robots carry on.").waitFor();
  await desk.at("stop-reply").click();
  await log().getByText("The reply was stopped.").waitFor();
  await desk.at("stop-reply").waitFor({ state: "detached" });
  never.open();
});

test("X-01 words to a running reply steer it, and reach the model", async () => {
  const first = gate();
  model.answer({ call: ["list_robots", {}] }, first.wait);
  model.answer("The second robot it is.");
  await say(desk, "Which robot?");
  await say(desk, "the second one", { steers: true });
  await until("an empty field", async () => (await desk.at("composer").inputValue()) === "");
  first.open();
  await log().getByText("The second robot it is.").waitFor();
  assert.ok(JSON.stringify(asked().at(-1).body.messages).includes("the second one"));
});

test("V-03 what the agent saw is a drawer with the parts of each call", async () => {
  await desk.at("agent-says").filter({ hasText: "The second robot it is." }).getByTestId("saw").click();
  await desk.at("turn-view").getByText("the second one").first().waitFor();
  assert.deepEqual(await findings(desk.page), []);
  await desk.page.keyboard.press("Escape");
  await desk.at("turn-view").waitFor({ state: "detached" });
});

test("M-10 a message that begins with a slash goes to the interpreter", async () => {
  const before = asked().length;
  await say(desk, "/status");
  await until("an answer of the interpreter", async () =>
    (await desk.at("answered-by").last().textContent())?.startsWith("Command interpreter"),
  );
  assert.equal(asked().length, before);
});

test("U-910 conversations are apart, and found by their words", async () => {
  // An answer is on the screen a moment before its turn has ended, and until then no other conversation is answered.
  await until("the end of the last turn", async () => (await server.call("list_agents"))[0].running === null);
  await desk.at("conversations").click();
  await desk.at("conversation-new").click();
  await desk.page.getByText("Try one of these").waitFor();
  model.answer("A fresh start.");
  await say(desk, "Hello again.");
  await log().getByText("A fresh start.").waitFor();
  assert.equal(await log().getByText("The arm is ready.").count(), 0);
  await desk.at("conversations").click();
  await desk.at("conversation-search").fill("second robot");
  await desk
    .at("conversation-list")
    .getByRole("button", { name: /second robot/ })
    .first()
    .click();
  await log().getByText("The second robot it is.").waitFor();
});

test("U-910 a pinned conversation stands above newer ones", async () => {
  const { at, page } = desk;
  await at("conversations").click();
  await at("conversation-pin").focus();
  await page.keyboard.press("Enter");
  const first = at("conversation-list").getByRole("listitem").first();
  await first.filter({ hasText: "pinned" }).waitFor();
  assert.equal(await first.getByRole("button").getAttribute("aria-current"), "true");
  await page.locator('[data-testid="conversation-pin"][aria-pressed="true"]').press("Enter");
  await page.locator('[data-testid="conversation-pin"][aria-pressed="false"]').waitFor();
  await page.keyboard.press("Escape");
});

for (const theme of ["light", "dark"]) {
  test(`U-2001 no serious finding in a conversation in the ${theme} theme`, async () => {
    const other = await openDesk(browser, server, { theme });
    await other.page.getByRole("log").getByText("The arm is ready.").waitFor();
    assert.deepEqual(await findings(other.page), []);
    assertClean(other);
    await other.close();
  });
}

test("K-01 the ledger has a row of every call, with an unknown price as such", async () => {
  await goTo(desk.page, "/admin/budget");
  await desk.at("model-calls").getByText("price unknown").first().waitFor();
  await desk.at("ledger-days").waitFor();
});

test("U-110 the window spoke to its station only, within its policy and without an error", () => assertClean(desk));
