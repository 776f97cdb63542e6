import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import type { Connections } from "../../generated/bindings/Connections";
import { toasts } from "../../design/components/toast-queue";
import { fakeStation, renderWith } from "../../testing/station";
import { ConnectionsSection } from "./ConnectionsSection";

const CONNECTIONS: Connections = {
  profile: "production",
  routers: ["tls/router.lab:7447"],
  router_connected: true,
  listening: [],
  problem: null,
  router_address: "router.lab:7447",
  certificates: [],
  robots: [
    {
      robot: "gate-1",
      simulated: false,
      certificate_name: "gate-1.lab",
      revoked: false,
      link: "live",
      last_beat_age_ms: 100,
      failing_hop: null,
    },
  ],
};

it("RG-41 a revocation is told, also where the robot's form is gone before the answer", async () => {
  let connections = CONNECTIONS;
  let answer: (value: unknown) => void = () => undefined;
  const answered = new Promise((done) => {
    answer = done;
  });
  const station = fakeStation(
    {
      get_connections: () => connections,
      revoke_robot: () => {
        connections = { ...CONNECTIONS, robots: CONNECTIONS.robots.map((row) => ({ ...row, revoked: true })) };
        return answered;
      },
    },
    { role: "admin" },
  );
  const { queries, settled } = renderWith(station, <ConnectionsSection />);
  await settled();
  fireEvent.click(screen.getByTestId("revoke-gate-1"));
  fireEvent.change(screen.getByTestId("revoke-folder-gate-1"), { target: { value: " /srv/rules " } });
  fireEvent.click(screen.getByTestId("revoke-yes-gate-1"));
  await waitFor(() =>
    expect(station.asked).toContainEqual({ name: "revoke_robot", input: { robot: "gate-1", folder: "/srv/rules" } }),
  );
  await act(() => queries.invalidateQueries({ queryKey: ["connections"] }));
  await waitFor(() => expect(screen.queryByTestId("revoke-yes-gate-1")).toBeNull());
  await act(async () => answer({}));
  const said = () => toasts.visibleToasts.map(({ content }) => content.text);
  await waitFor(() => expect(said().join()).toContain("gate-1"));
});
