// Adds to package-lock.json what npm leaves out when a registry does not carry every platform's build of a package:
// `npm ci` then refuses the lock file on every machine. The platform is read from the package's name.
import { readFileSync, writeFileSync } from "node:fs";

const SYSTEMS = ["aix", "android", "darwin", "freebsd", "linux", "netbsd", "openbsd", "openharmony", "sunos", "win32"];
const PROCESSORS = ["arm", "arm64", "ia32", "loong64", "mips64el", "ppc64", "riscv64", "s390x", "wasm32", "x64"];

const lock = JSON.parse(readFileSync("package-lock.json", "utf8"));
for (const found of Object.values(lock.packages)) {
  for (const [name, version] of Object.entries(found.optionalDependencies ?? {})) {
    const place = `node_modules/${name}`;
    if (place in lock.packages) continue;
    if (!/^\d+\.\d+\.\d+/.test(version)) throw new Error(`${name} ${version}: only an exact version can be completed`);
    lock.packages[place] = { version, ...platformOf(name), ...(found.dev && { dev: true }), optional: true };
    console.log(`added ${name} ${version}`);
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync("package-lock.json", `${JSON.stringify(lock, null, 2)}\n`);

function platformOf(name) {
  const words = name.split(/[/-]/);
  const os = SYSTEMS.filter((system) => words.includes(system));
  const cpu = PROCESSORS.filter((processor) => words.includes(processor));
  const libc = words.some((word) => word.startsWith("musl")) ? ["musl"] : words.some((word) => word.startsWith("gnu")) ? ["glibc"] : [];
  if (os.length + cpu.length === 0) throw new Error(`${name} names no platform`);
  return { ...(cpu.length && { cpu }), ...(os.includes("linux") && libc.length && { libc }), ...(os.length && { os }) };
}
