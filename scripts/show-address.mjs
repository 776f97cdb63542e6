// Turns the server's first line, {"url": "…", "token": "…"}, into an address to click; passes the rest on.
import { createInterface } from "node:readline";

process.on("SIGINT", () => undefined); // the server hears Ctrl-C; its last words still go through here

createInterface({ input: process.stdin }).on("line", (line) => {
  const address = parse(line);
  if (address === undefined) return console.log(line);
  console.log(`\nQuarterdeck runs at ${address.url.replace(/\/$/, "")}/#token=${address.token}\nCtrl-C ends it.\n`);
});

function parse(line) {
  try {
    const { url, token } = JSON.parse(line);
    return typeof url === "string" && typeof token === "string" ? { url, token } : undefined;
  } catch {
    return undefined;
  }
}
