// A page that hangs for ever is started again. No driver reads this page: it would take the app away with it.
import { after, before, test } from "node:test";
import { clickIn, DIALOG } from "./screen.mjs";
import { openTray } from "./tray.mjs";
import { startApp, until } from "./window.mjs";

let tray;
let app;

before(async () => {
  tray = await openTray();
  app = await startApp();
});
after(async () => {
  await app?.close();
  await tray?.close();
});

const restart = async () => (await tray.look()).enabled.includes("Restart screen");

test("U-613 the dialog restarts a page that would hang for ever", async () => {
  await app.shown;
  await app.freeze();
  await until("a frozen screen is told", restart);
  await clickIn(await DIALOG.shown(), ...DIALOG.restart);
  await until("a living screen", async () => !(await restart()));
  await until("the dialog is gone", async () => !(await DIALOG.find()));
});
