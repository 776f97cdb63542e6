import { gzipSync } from "node:zlib";
import react from "@vitejs/plugin-react";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

/** Compressed scripts of the first screen, bytes (U-2608). */
const FIRST_SCREEN_BYTES_MAX = 400_000;

/** Fails the build once what the window's page loads before it shows anything is too much. */
function firstScreenBudget(): Plugin {
  return {
    name: "first-screen-budget",
    generateBundle(_options, bundle) {
      const seen = new Set<string>();
      const sizeOf = (name: string): number => {
        const chunk = bundle[name];
        if (seen.has(name) || chunk?.type !== "chunk") return 0;
        seen.add(name);
        return chunk.imports.reduce((sum, next) => sum + sizeOf(next), gzipSync(chunk.code).length);
      };
      const entry = Object.values(bundle).find((file) => file.type === "chunk" && file.isEntry && file.name === "main");
      if (!entry) throw new Error("the build has no entry of the window");
      const bytes = sizeOf(entry.fileName);
      this.info(`first screen: ${Math.round(bytes / 1_000)} kB of scripts, compressed`);
      if (bytes > FIRST_SCREEN_BYTES_MAX)
        this.error(`the first screen loads ${bytes} bytes of compressed scripts, more than ${FIRST_SCREEN_BYTES_MAX}`);
    },
  };
}

/**
 * The app's window freezes `Object.prototype`: a library that assigns `constructor` to a plain object is refused there, and the part of the
 * window that needs it fails. It defines the property instead.
 */
function frozenPrototype(): Plugin {
  const assigned = "prototype.constructor = constructor;";
  const defined =
    'Object.defineProperty(prototype, "constructor", { value: constructor, writable: true, configurable: true });';
  return {
    name: "frozen-prototype",
    transform(code, id) {
      if (!id.includes("/node_modules/d3-color/")) return null;
      if (!code.includes(assigned))
        this.error("d3-color is another one: see that the graph of missions is drawn in the app's window");
      return { code: code.replace(assigned, defined), map: null };
    },
  };
}

/**
 * Where a developer's station listens; `npm run dev` forwards to it so that the page and the station share an origin.
 */
const STATION_URL = process.env["QUARTERDECK_URL"] ?? "http://127.0.0.1:8700";

/** A page beside this file. */
const page = (name: string) => new URL(name, import.meta.url).pathname;

export default defineConfig({
  plugins: [react({ compiler: true }), frozenPrototype(), firstScreenBudget()],
  build: {
    target: "safari16.4",
    // The content policy allows fonts and images from the station only, so nothing may turn into a data: address.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rollupOptions: { input: { main: page("index.html"), stop: page("stop.html") } },
  },
  server: {
    port: 5173,
    strictPort: true,
    proxy: { "/op": STATION_URL, "/events": { target: STATION_URL, ws: true } },
  },
  test: {
    // A busy computer needs this for the parts that a page loads later.
    testTimeout: 30_000,
    projects: [
      { extends: true, test: { name: "pure", environment: "node", include: ["src/**/*.test.ts"] } },
      {
        extends: true,
        test: {
          // A busy computer needs this for the parts that a page loads later.
          testTimeout: 30_000,
          name: "component",
          environment: "jsdom",
          include: ["src/**/*.test.tsx"],
          setupFiles: ["src/testing/setup.ts"],
        },
      },
    ],
  },
});
