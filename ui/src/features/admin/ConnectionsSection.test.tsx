import { act, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Connections } from "../../generated/bindings/Connections";
import { later } from "../../testing/later";
import { fakeStation, renderWith } from "../../testing/station";
import { ConnectionsSection } from "./ConnectionsSection";
import { Prepared } from "./find/Prepared";
import { LOOK_EVERY_MS } from "./useConnectionsLook";

const CLOSED = {
  state: "closed",
  endpoint: null,
  robot: null,
  digits: null,
  meaning: null,
  closes_in_ms: null,
  tries_left: 0,
  problem: null,
};

function connections(last_beat_age_ms: number): Connections {
  return {
    profile: "local",
    routers: [],
    router_connected: false,
    listening: [],
    problem: null,
    router_address: null,
    certificates: [],
    robots: [
      {
        robot: "gate-1",
        simulated: false,
        certificate_name: null,
        revoked: false,
        link: "live",
        last_beat_age_ms,
        failing_hop: null,
      },
    ],
  };
}

const look = () => act(async () => void vi.advanceTimersByTime(LOOK_EVERY_MS));

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
});
afterEach(() => {
  vi.useRealTimers();
});

it("U-102 a station that takes longer than a second is waited for, and heard", async () => {
  const answers = [later<Connections>(), later<Connections>()];
  let asked = 0;
  const station = fakeStation(
    { get_connections: () => answers[asked++]?.promise ?? connections(100), get_pairing: CLOSED },
    { role: "admin" },
  );
  const { settled } = renderWith(station, <ConnectionsSection />);
  answers[0]?.resolve(connections(100));
  await settled();
  await look();
  await look();
  await look();
  expect(asked).toBe(2);
  answers[1]?.resolve(connections(7_000));
  await settled();
  expect(screen.getByTestId("connection-gate-1").textContent).toContain("7.0 s");
});

it("U-102 the age of a beat goes on growing while the station itself is not heard", async () => {
  const station = fakeStation({ get_connections: connections(100), get_pairing: CLOSED }, { role: "admin" });
  const { settled } = renderWith(station, <ConnectionsSection />);
  await settled();
  expect(screen.getByTestId("connection-gate-1").textContent).toContain("< 1 s");
  await act(async () => station.store.tick(performance.now() + 65_000));
  expect(screen.getByTestId("connection-gate-1").textContent).toContain("1 min 5 s");
});

it("U-102 the time left of a pairing runs where its robot was found, too", async () => {
  let closes_in_ms = 300_000;
  const station = fakeStation(
    { get_connections: connections(100), get_pairing: () => ({ ...CLOSED, state: "waiting", closes_in_ms }) },
    { role: "admin" },
  );
  const prepared = { robot: "spot", folder: "/srv/spot", pair: "quarterdeck-gate pair" };
  const { settled } = renderWith(station, <Prepared prepared={prepared} onBack={() => undefined} />);
  await settled();
  closes_in_ms = 30_000;
  await look();
  await settled();
  expect(screen.getByRole("timer").textContent).toMatch(/^Waiting for (30|29) s more$/u);
});
