import { fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import type { Connections } from "../../generated/bindings/Connections";
import type { PairingView } from "../../generated/bindings/PairingView";
import { fakeStation, renderWith } from "../../testing/station";
import { PairGate } from "./PairGate";

const CLOSED: PairingView = {
  state: "closed",
  endpoint: null,
  robot: null,
  digits: null,
  meaning: null,
  closes_in_ms: null,
  tries_left: 0,
  problem: null,
};
const ENDPOINT = "tcp/192.168.7.1:7448";

function connections(profile: Connections["profile"]): Connections {
  return {
    profile,
    routers: [],
    router_connected: true,
    listening: [],
    problem: null,
    router_address: null,
    certificates: [],
    robots: [],
  };
}

it("RG-36 behind a router the window takes an address and shows the command with the station's", async () => {
  let pairing = CLOSED;
  const station = fakeStation(
    {
      get_connections: () => connections("production"),
      get_pairing: () => pairing,
      open_pairing: () => {
        pairing = { ...CLOSED, state: "waiting", endpoint: ENDPOINT, closes_in_ms: 300_000, tries_left: 3 };
        return pairing;
      },
    },
    { role: "admin" },
  );
  const { queries, settled } = renderWith(station, <PairGate />);
  await settled();
  fireEvent.change(screen.getByTestId("pairing-address"), { target: { value: " 192.168.7.1 " } });
  fireEvent.click(screen.getByTestId("pairing-open"));
  await waitFor(() =>
    expect(station.asked).toContainEqual({ name: "open_pairing", input: { address: "192.168.7.1" } }),
  );
  await queries.invalidateQueries({ queryKey: ["connections"] });
  await screen.findByText(`quarterdeck-gate pair --config gate.toml --station ${ENDPOINT}`);
  expect(screen.queryByTestId("pairing-address")).toBeNull();
});

it("RG-36 after it the router's rules alone are exported, and only behind a router", async () => {
  const paired: PairingView = { ...CLOSED, state: "paired", robot: "rover-9", digits: "482913" };
  let profile: Connections["profile"] = "production";
  const station = fakeStation(
    {
      get_connections: () => connections(profile),
      get_pairing: () => paired,
      issue_credentials: () => ({
        folder: "/srv/rules",
        files: ["router/router.json5"],
        certificates: [],
        left_out: [],
        restart_needed: true,
      }),
    },
    { role: "admin" },
  );
  const { queries, settled } = renderWith(station, <PairGate />);
  await settled();
  fireEvent.change(screen.getByTestId("pairing-rules-folder"), { target: { value: "/srv/rules" } });
  fireEvent.click(screen.getByTestId("pairing-rules"));
  const input = { folder: "/srv/rules", router: null, robots: [] };
  await waitFor(() => expect(station.asked).toContainEqual({ name: "issue_credentials", input }));
  await screen.findByText(/\/srv\/rules/);
  profile = "local";
  await queries.invalidateQueries({ queryKey: ["connections"] });
  await waitFor(() => expect(screen.queryByTestId("pairing-rules")).toBeNull());
});
