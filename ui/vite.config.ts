import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

/**
 * Where a developer's station listens; `npm run dev` forwards to it so that the page and the station share an origin.
 */
const STATION_URL = process.env["QUARTERDECK_URL"] ?? "http://127.0.0.1:8700";

/** A page beside this file. */
const page = (name: string) => new URL(name, import.meta.url).pathname;

export default defineConfig({
  plugins: [react({ compiler: true })],
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
    projects: [
      { extends: true, test: { name: "pure", environment: "node", include: ["src/**/*.test.ts"] } },
      {
        extends: true,
        test: {
          name: "component",
          environment: "jsdom",
          include: ["src/**/*.test.tsx"],
          setupFiles: ["src/testing/setup.ts"],
        },
      },
    ],
  },
});
