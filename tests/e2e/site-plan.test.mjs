// The site plan: there on a simulated site, made from files or by hand, seen before it is saved, and taken back.
import assert from "node:assert/strict";
import { test } from "node:test";
import { assertClean, findings, goTo, tabTo } from "./desk.mjs";
import { until } from "./server.mjs";
import { desk, server } from "./site.mjs";

const plan = async () => server.call("get_site_plan");
const state = () => desk.at("plan-state").textContent();
const field = (label) => desk.page.getByRole("textbox", { name: label, exact: true });
const bytes = (text) => Buffer.from(text, "latin1");

/** A drawing in millimetres of a hall of 12 × 8 m, with what must never run. */
const HALL = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 12000 8000" onload="window.ran = true">
  <script>window.ran = true</script>
  <image href="x" onerror="window.ran = true"/>
  <rect width="12000" height="8000"/><line x1="6000" y1="0" x2="6000" y2="5000"/>
  <g id="loading bay"><rect x="1000" y="1000" width="2000" height="1000"/></g>
</svg>`;
const YAML = "image: lab.pgm\nresolution: 0.05\norigin: [-1.0, -1.0, 0.0]\nnegate: 0\noccupied_thresh: 0.65\n";

async function choose(...files) {
  await desk
    .at("plan-file")
    .setInputFiles(
      files.map(([name, content]) => ({ name, mimeType: "application/octet-stream", buffer: bytes(content) })),
    );
}

async function drag([fromX, fromY], [toX, toY]) {
  await desk.page.mouse.move(fromX, fromY);
  await desk.page.mouse.down();
  await desk.page.mouse.move(toX, toY, { steps: 4 });
  await desk.page.mouse.up();
}

test("U-1112 a simulated site shows its plan without a click, in words too", async () => {
  const { page, at } = desk;
  await goTo(page, "/overview");
  await at("site-words").click();
  await page
    .getByText(/Site plan with the areas .*loading_dock.*limits no robot/)
    .first()
    .waitFor();
  await page
    .getByText(/rover-1 at .* in weld_cell/)
    .first()
    .waitFor();
  await at("site-words").click();
});

test("U-1102 U-1110 walls are taken from the map that a robot has made, and are seen before they are used", async () => {
  const { page, at } = desk;
  await goTo(page, "/world/plan");
  await until("the plan of the simulator", async () => /of the simulated site/.test(await state()));
  await at("plan-map-rover-1").click();
  await at("plan-use").waitFor();
  assert.deepEqual(await findings(page), []);
  await at("plan-use").click();
  await until("walls of the map", async () => /not saved/.test(await state()));
  const walls = Number(/^(\d+) wall/.exec(await state())?.[1]);
  assert.ok(walls >= 3, `the rover has seen ${walls} walls`);
  await at("plan-discard").click();
  await until("the plan of the simulator", async () => /of the simulated site/.test(await state()));
});

test("U-1110 a file that is none says what to do, and changes nothing", async () => {
  const { page, at } = desk;
  await goTo(page, "/world/plan");
  await until("the plan of the simulator", async () => /of the simulated site/.test(await state()));
  const faults = [
    [[["plan.pdf", "%PDF"]], "unknown_kind"],
    [[["map.yaml", YAML]], "image_needed"],
    [
      [
        ["map.yaml", YAML.replace("0.05", "0")],
        ["lab.pgm", "P5 1 1 255 x"],
      ],
      "bad_resolution",
    ],
    [
      [
        ["map.yaml", YAML],
        ["lab.pgm", "P5 9 9 255 x"],
      ],
      "pgm_cut_off",
    ],
    [[["plan.dxf", "0\nSECTION\n2\nENTITIES\n0\nENDSEC\n0\nEOF\n"]], "no_lines"],
    [[["plan.svg", "<svg><text>kitchen</text></svg>"]], "no_lines"],
    [[["plan.svg", "x".repeat(20_000_001)]], "too_large"],
  ];
  for (const [files, code] of faults) {
    await choose(...files);
    await until(
      code,
      async () =>
        (await at("plan-fault")
          .getAttribute("data-code")
          .catch(() => null)) === code,
    );
  }
  assert.deepEqual(await findings(page), []);
  assert.equal(await at("plan-save").isDisabled(), true);
  assert.equal((await plan()).version, 0);
});

test("U-1110 a drawing is placed, seen, saved and taken back, and nothing in it runs", async () => {
  const { page, at } = desk;
  await choose(["hall.svg", HALL]);
  await at("plan-placement").waitFor();
  assert.equal(await at("plan-use").isDisabled(), true, "nobody but who drew it knows the scale");
  await field("Metres per unit of the drawing").fill("0.001");
  await until("its size", async () => (await at("plan-size").textContent()) === "12.0 × 8.0 m");
  await field("Lower left corner, x").fill("-4");
  assert.equal(await at("plan-areas-found").textContent(), "1 named area found: loading bay");
  assert.deepEqual(await findings(page), []);
  await at("plan-use").click();
  assert.match(await state(), /3 walls, 8 areas, not saved/);
  await at("plan-save").click();
  await until("saved", async () => /3 walls, 8 areas, saved by/.test(await state()));
  const saved = await plan();
  assert.equal(saved.version, 1);
  assert.deepEqual(saved.plan.walls[1], [
    [2, 8],
    [2, 3],
  ]);
  assert.deepEqual(saved.plan.areas.find(({ name }) => name === "loading bay")?.corners, [
    [-3, 7],
    [-1, 7],
    [-1, 6],
    [-3, 6],
  ]);
  assert.equal(await page.evaluate(() => "ran" in window), false);

  await page.getByRole("button", { name: "Undo" }).click();
  await until("taken back", async () => /10 walls, 7 areas, saved by/.test(await state()));
  assert.equal((await plan()).plan.walls.length, 10);
});

test("U-1110 a map of a robot needs no placing", async () => {
  const { page, at } = desk;
  const rows = Array.from({ length: 40 }, (_, row) =>
    row === 0 || row === 39 ? "\0".repeat(60) : `\0${"\xfe".repeat(58)}\0`,
  );
  await choose(["map.yaml", YAML], ["lab.pgm", `P5\n60 40\n255\n${rows.join("")}`]);
  await at("plan-placement").waitFor();
  assert.equal(await at("plan-size").textContent(), "3.0 × 2.0 m");
  assert.equal(await field("Turn").count(), 0);
  await page.keyboard.press("Escape");
  await at("plan-use").click();
  assert.match(await state(), /2 walls, 7 areas, not saved/);
  await at("plan-discard").click();
  assert.match(await state(), /10 walls/);
});

test("U-1111 an area is written by keys alone", async () => {
  const { page, at } = desk;
  await tabTo(page, '[data-testid="area-add"]');
  await page.keyboard.press("Enter");
  await tabTo(page, '[data-testid="area-name"]');
  await page.keyboard.type("charging");
  await page.keyboard.press("Tab");
  await page.keyboard.type("-3 3");
  await page.keyboard.press("Enter");
  await page.keyboard.type("-1 3\n-1 5");
  await tabTo(page, '[data-testid="area-done"]');
  await page.keyboard.press("Enter");
  await at("area-charging").waitFor();
  await tabTo(page, '[data-testid="plan-save"]');
  await page.keyboard.press("Enter");
  await until("saved", async () => (await plan()).plan.areas.some(({ name }) => name === "charging"));
});

test("U-1111 a rectangle is drawn on the scene, and its handles move it", async () => {
  const { page, at } = desk;
  await until("settled", async () => /saved by/.test(await state()));
  await at("area-add").click();
  await at("area-name").fill("parking");
  const { x, y, width, height } = await at("scene").first().boundingBox();
  const [left, top] = [x + width / 2 - 60, y + height / 2 + 60];
  await drag([left, top], [left + 80, top + 50]);
  await at("handle-x-max").waitFor();
  const before = await at("area-corners").inputValue();
  assert.equal(before.split("\n").length, 4);
  const box = await at("handle-x-max").boundingBox();
  const [hx, hy] = [box.x + box.width / 2, box.y + box.height / 2];
  await drag([hx, hy], [hx + 30, hy]);
  await until("wider", async () => (await at("area-corners").inputValue()) !== before);
  assert.deepEqual(await findings(page), []);
  await at("area-done").click();
  await at("area-parking").waitFor();
  await page.getByRole("button", { name: "Remove kitchen" }).click();
  await at("plan-save").click();
  await until("saved", async () => (await plan()).plan.areas.some(({ name }) => name === "parking"));
  assert.equal(
    (await plan()).plan.areas.some(({ name }) => name === "kitchen"),
    false,
  );
});

test("U-1111 a plan that somebody else saves is followed, and never written over unseen", async () => {
  const { at } = desk;
  await until("settled", async () => /saved by/.test(await state()));
  const { version, plan: before } = await plan();
  await at("plan-clear").click();
  assert.match(await state(), /0 walls, 0 areas, not saved/);
  await server.call("save_site_plan", { base_version: version, plan: { ...before, walls: before.walls.slice(0, 3) } });
  await desk.page.getByText(/Somebody else has saved another plan/).waitFor();
  assert.equal(await at("plan-save").isDisabled(), true);
  await at("plan-discard").click();
  await until("the newest", async () => /3 walls/.test(await state()));
});

test("U-1112 the plan is there in three dimensions and in dark colours", async () => {
  const { page } = desk;
  await page.emulateMedia({ colorScheme: "dark" });
  assert.deepEqual(await findings(page), []);
  await page
    .getByRole("radio", { name: "3D" })
    .or(page.getByRole("button", { name: "3D" }))
    .first()
    .click();
  await until("drawn, or said to be off", async () => {
    const drawn = await page.getByTestId("scene-3d").count();
    return drawn > 0 || (await page.getByTestId("scene-off").count()) > 0;
  });
  await page.emulateMedia({ colorScheme: "light" });
  assertClean(desk);
});
