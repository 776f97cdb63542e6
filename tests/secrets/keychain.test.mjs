// Keys of providers in a real Secret Service: open, locked and not there.
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { holding, startServer } from "./keyring.mjs";

const CANARY = "sk-canary-5d1e8f0b7a3c4926";
const FORMS = [CANARY, Buffer.from(CANARY).toString("base64"), Buffer.from(CANARY).toString("hex")];

let folder;
before(async () => (folder = await mkdtemp(join(tmpdir(), "quarterdeck-keychain-"))));
after(() => rm(folder, { recursive: true, force: true }));

/** Runs `steps` with a server whose keychain is in that state. */
async function withServer(keychain, steps) {
  const server = await startServer(folder, keychain);
  try {
    await steps(server);
  } finally {
    await server.end();
  }
}

/** Neither a file of the station nor its output holds the key. */
async function assertNowhere(server) {
  for (const form of FORMS) {
    assert.deepEqual(await holding(server.data, form), []);
    assert.equal(server.output().includes(form), false);
  }
}

const key = (extra = {}) => ({ name: "cloud", value: CANARY, ...extra });
const alarmOf = (rows) => rows.find(({ source }) => source === "keychain_locked");

/** No keychain: an error that says what helps, an alarm, nothing on disk; a key of this session works. */
async function refuses(server) {
  const { status, body } = await server.call("set_secret", key());
  assert.equal(status, 503);
  assert.equal(body.code, "keychain_unavailable");
  assert.match(body.message, /unlock/i);
  assert.match(body.message, /this session only/);
  assert.deepEqual((await server.call("list_secrets")).body.filter(({ kept }) => kept === "session"), []);
  assert.equal(alarmOf((await server.call("list_alarms", { preset: "active" })).body)?.priority, 3);
  const kept = await server.call("set_secret", key({ this_session_only: true }));
  assert.equal(kept.body.kept, "session");
  assert.equal(kept.body.last4, CANARY.slice(-4));
  await assertNowhere(server);
}

test("U-1701 a key is kept in the keychain, shown by its end, and found again after a restart", async () => {
  await withServer("unlocked", async (server) => {
    const { status, body } = await server.call("set_secret", key());
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual([body.last4, body.kept], [CANARY.slice(-4), "keychain"]);
    await assertNowhere(server);
  });
  await withServer("unlocked", async (server) => {
    const [row] = (await server.call("list_secrets")).body;
    assert.deepEqual([row.name, row.last4, row.kept], ["cloud", CANARY.slice(-4), "keychain"]);
    await server.call("set_provider", { id: "cloud", kind: "openai", key: "cloud", models: ["m-1"] });
    assert.equal((await server.call("list_providers")).body[0].key_is_set, true);
    await assertNowhere(server);
  });
});

test("ATT-21 a locked keychain is a clear error, and nothing is written to disk", () => withServer("locked", refuses));

test("ATT-21 without a keychain the rest of the station runs", () =>
  withServer("absent", async (server) => {
    await refuses(server);
    assert.equal((await server.call("session_info")).status, 200);
  }));

test("ATT-15 ATT-21 the keys of the site lie in the keychain alone, and a second export is of the same site", async () => {
  const names = [];
  for (const round of ["first", "second"]) {
    await withServer("unlocked", async (server) => {
      const exported = join(folder, round);
      const { status, body } = await server.call("issue_credentials", { folder: exported, router: "router.lab" });
      assert.equal(status, 200, JSON.stringify(body));
      names.push(await readFile(join(exported, "router", "ca.pem"), "utf8"));
      const key = await readFile(join(exported, "router", "key.pem"), "utf8");
      assert.deepEqual(await holding(server.data, key.split("\n")[1]), []);
      assert.deepEqual(await holding(server.data, "PRIVATE KEY"), []);
    });
  }
  assert.equal(names[0], names[1]);
});

test("ATT-21 without a keychain no certificate is made, and nothing is exported", () =>
  withServer("absent", async (server) => {
    const exported = join(folder, "absent");
    const { body } = await server.call("issue_credentials", { folder: exported, router: "router.lab" });
    assert.equal(body.code, "keychain_unavailable");
    await assert.rejects(readFile(join(exported, "router", "ca.pem")));
  }));

test("a key that is deleted is gone from the keychain too", async () => {
  await withServer("unlocked", async (server) => {
    assert.equal((await server.call("delete_secret", { name: "cloud" })).status, 200);
    assert.deepEqual((await server.call("list_secrets")).body, []);
    assert.equal((await server.call("delete_secret", { name: "cloud" })).body.code, "secret_not_found");
  });
});
