// A robot that a scan has found is set up in the window and paired. The station and the pairing gate are real; the scan's
// report was recorded from a robot of ROS 2 (tests/scenarios/finding.rs scans a real domain).
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { chmod, link, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { findings, openBrowser, openDesk, picture, tabTo } from "./desk.mjs";

const SERVER = resolve(process.env.QUARTERDECK_SERVER ?? "target/debug/quarterdeck-server");
const GATE = join(dirname(SERVER), "quarterdeck-gate");

const proposal = (field, value, source, at, is_guess = false, choices = []) => ({
  field,
  value,
  choices,
  source,
  at,
  is_guess,
});
const REPORT = {
  finds: [
    {
      id: "ros2_dds 7 /",
      protocol: "ros2_dds",
      address: "7",
      name: "/base_driver",
      nodes: ["/base_driver"],
      offers: [
        { kind: "publishes", name: "/odom", type: "nav_msgs/msg/Odometry" },
        { kind: "subscribes", name: "/cmd_vel", type: "geometry_msgs/msg/TwistStamped" },
        { kind: "service", name: "/stop", type: "std_srvs/srv/Trigger" },
      ],
      offers_left_out: 0,
      commanders: ["/joystick"],
      certainty: "certain",
      lacks: [],
      fields: [
        proposal("robot", "base-driver", "node", "/base_driver", true),
        proposal("domain", "7", "address", ""),
        proposal("namespace", "/", "namespace", "/"),
        proposal("pose", "odom /odom", "message", "/odom"),
        proposal("frame", "odom", "message", "/odom"),
        proposal("velocity", "/odom", "topic", "/odom", false, ["/odom"]),
        proposal("command_topic", "/cmd_vel", "topic", "/cmd_vel", false, ["/cmd_vel"]),
        proposal("navigate", null, "action", "/navigate_to_pose", true, ["/navigate_to_pose"]),
        proposal("cameras", "front image /front/image_raw; back image /back/image_raw", "topic", "/front/image_raw"),
        proposal("stop_services", null, "service", "/stop", true, ["/stop"]),
        proposal("standstill", "0.02", "usual", "", true),
        proposal("standstill_rotation", "0.05", "usual", "", true),
      ],
      joints: [],
    },
  ],
  places: [{ protocol: "ros2_dds", address: "7", problem: null }],
  finds_left_out: 0,
};
const EMPTY = { ...REPORT, finds: [] };
/** What only a person knows. */
const PERSON = {
  site: "lab",
  radius: "0.3",
  localisation_error: "0.05",
  margin: "0.05",
  speed: "0.5",
  rotation: "1",
  acceleration: "1",
  goal_jump: "10",
  workspace: "-5 5 -5 5 -1 1",
  envelope: "-50 50 -50 50 -1 1",
  hardware_stop: "on the mast",
  reaction: "0.3",
  braking: "0.5",
};

let browser, server, desk, folder;

/** The next scan prints this report; one without a report waits until it is ended. */
const reports = (report) => writeFile(join(folder, "report.json"), report === null ? "" : JSON.stringify(report));

before(async () => {
  folder = await mkdtemp(join(dirname(SERVER), "finding-"));
  await link(SERVER, join(folder, "quarterdeck-server"));
  const program = `#!/bin/sh\nreport=${folder}/report.json\nif [ -s $report ]; then cat $report; echo; else cat >/dev/null; fi\n`;
  await writeFile(join(folder, "quarterdeck-gate"), program);
  await chmod(join(folder, "quarterdeck-gate"), 0o700);
  process.env.QUARTERDECK_SERVER = join(folder, "quarterdeck-server");
  const { startServer } = await import("./server.mjs");
  browser = await openBrowser();
  server = await startServer();
  desk = await openDesk(browser, server, { route: "/admin/connections" });
});
after(async () => {
  await browser?.close();
  await server?.end();
  await rm(folder, { recursive: true, force: true });
});

test("RG-38 a scan shows that it runs, is cancelled by a key, and says what to do where nothing was found", async () => {
  const { page, at } = desk;
  await reports(null);
  await at("find-robot").press("Enter");
  await at("scan-domains").fill("7, 102");
  await page.getByText("Numbers from 0 to 101").waitFor();
  assert.equal(await at("scan-start").isDisabled(), true);
  await at("scan-domains").fill("7");
  await at("scan-domains").press("Enter");
  await at("scan-progress").waitFor();
  await at("scan-cancel").press("Enter");
  await at("scan-start").waitFor();
  await reports(EMPTY);
  await at("scan-start").press("Enter");
  await page.getByText("No robot was found").waitFor();
  await page.getByText("ROS_DOMAIN_ID", { exact: false }).waitFor();
});

test("RG-40 each field shows its source, and what is missing or not confirmed keeps the robot from being added", async () => {
  const { page, at } = desk;
  await reports(REPORT);
  await at("scan-start").press("Enter");
  await at("finds").getByText("a robot").waitFor();
  await picture(page, "find-robot");
  await page.getByRole("button", { name: "Set up /base_driver" }).press("Enter");
  await at("field-frame").getByText("said on /odom").waitFor();
  await at("field-robot").getByText("a guess").waitFor();
  await at("field-pose").getByText("Odometry drifts", { exact: false }).waitFor();
  assert.equal(await at("value-cameras-1").inputValue(), "back image /back/image_raw");
  await page.getByText("Already publishing velocities: /joystick").waitFor();
  await at("draft-state").getByText("15 fields are missing. 3 guesses are to be confirmed.").waitFor();
  await picture(page, "set-up-robot");
  for (const field of ["hardware_stop", "workspace", "margin", "carries_load"])
    await at(`field-${field}`).getByText("missing").waitFor();
  assert.equal(await at("choice-/stop").isChecked(), false, "a stop service is never chosen by itself");
  await at("gate-folder").fill(join(folder, "gate"));
  assert.equal(await at("robot-prepare").isDisabled(), true);
  for (const [theme, width, height] of [
    ["light", 1280, 800],
    ["dark", 1440, 900],
  ]) {
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize({ width, height });
    assert.deepEqual(await findings(page), [], `${theme} ${width}`);
  }
});

test("RG-40 the filled in robot is written, paired with its gate and shown", async () => {
  const { page, at } = desk;
  for (const [field, value] of Object.entries(PERSON)) await at(`value-${field}`).fill(value);
  await at("value-speed").fill("fast");
  await at("field-speed").getByText("is no number above zero", { exact: false }).waitFor();
  await at("value-speed").fill("0.5");
  // A robot that takes goals needs no topic of velocities, and an action that is only offered is chosen by a person.
  await at("field-navigate").locator("select").selectOption("/navigate_to_pose");
  await at("value-cameras").fill("front jpeg /front");
  await at("field-cameras").getByText("compressed_image TOPIC", { exact: false }).first().waitFor();
  await at("value-cameras").fill("mast image /mast/image_raw");
  await at("field-stop_behaviour").locator("select").selectOption("hold");
  await at("field-carries_load").locator("select").selectOption("no");
  for (const field of ["robot", "standstill", "standstill_rotation"]) await at(`confirm-${field}`).press(" ");
  // The page keeps what was typed and confirmed for who looks at the finds again.
  await at("find-back").press("Enter");
  assert.equal(await at("scan-domains").inputValue(), "7");
  await page.getByRole("button", { name: "Set up /base_driver" }).press("Enter");
  await at("choice-/stop").press(" ");
  await at("draft-state").getByText("base-driver is complete.", { exact: false }).waitFor();
  await at("manifest-facts").getByText("lab / base-driver").waitFor();
  await at("gate-folder").focus();
  await tabTo(page, "[data-testid=robot-prepare]");
  await page.keyboard.press("Enter");
  await at("robot-prepared").waitFor();
  const config = join(folder, "gate", "gate.toml");
  assert.match(await readFile(config, "utf8"), /navigate = "\/navigate_to_pose" {2}# a person/u);
  assert.match(await readFile(config, "utf8"), /mast = "\/mast\/image_raw", back = "\/back\/image_raw"/u);
  assert.match(await readFile(config, "utf8"), /stop_service = \["\/stop"\] {2}# a person/u);
  assert.equal((await stat(config)).mode & 0o777, 0o600);
  await at("pairing-open").press("Enter");
  await page.getByText(`quarterdeck-gate pair --config ${config}`).waitFor();

  const gate = spawn(GATE, ["pair", "--config", config], { stdio: ["pipe", "pipe", "inherit"] });
  for await (const line of createInterface({ input: gate.stdout })) if (/show \d{3} \d{3}/u.test(line)) break;
  await at("pairing-confirm").press("Enter");
  await page.getByText("Confirmed here").waitFor();
  gate.stdin.write("yes\n");
  await page.getByRole("button", { name: "Show base-driver" }).press("Enter");
  await page.waitForURL(/\/safety\/base-driver$/);
  await page.getByText("on the mast").first().waitFor();
  // The browser notes the answer to the scan that was cancelled.
  const problems = desk.problems.filter((problem) => !problem.includes("/op/scan_robots"));
  assert.deepEqual(problems, []);
});
