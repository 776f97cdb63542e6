import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { DeskAct } from "../../generated/bindings/DeskAct";
import type { DeskStatus } from "../../generated/bindings/DeskStatus";
import { Desk } from "../../host/desk";
import { later } from "../../testing/later";
import { fakeStation, renderWith } from "../../testing/station";
import { Stations } from "./Stations";

const OWN: DeskStatus = { remote: null, stations: [], stop: null, looked: null };

function show(answer: (sent: DeskAct) => DeskStatus | Promise<DeskStatus>) {
  const station = fakeStation();
  const acts: DeskAct[] = [];
  const others: number[] = [];
  station.host.desk = new Desk(
    async (sent) => {
      acts.push(sent);
      return answer(sent);
    },
    () => others.push(acts.length),
  );
  renderWith(station, <Stations />);
  return { acts, others, desk: station.host.desk };
}

const fill = (id: string, value: string) => fireEvent.change(screen.getByTestId(id), { target: { value } });

describe("RD-02 connecting to a station elsewhere", () => {
  it("sends the token only after the fingerprint was shown and compared, and keeps it nowhere", async () => {
    const { acts, others } = show((sent) =>
      sent.act === "look" ? { ...OWN, looked: { address: "lab.local:8420", shown: "AB:CD", pinned: null } } : OWN,
    );
    expect(screen.queryByTestId("station-token")).toBeNull();
    fill("station-address", "lab.local");
    await act(async () => fireEvent.click(screen.getByTestId("station-look")));
    await waitFor(() => expect(screen.getByTestId("station-fingerprint").textContent).toBe("AB:CD"));
    fill("station-token", "qd_secret");
    expect(screen.getByTestId("station-connect").hasAttribute("disabled")).toBe(true);
    fireEvent.click(screen.getByTestId("station-compared"));
    await act(async () => fireEvent.click(screen.getByTestId("station-connect")));
    expect(acts.at(-1)).toEqual({
      act: "connect",
      name: "",
      address: "lab.local:8420",
      fingerprint: "AB:CD",
      token: "qd_secret",
    });
    expect(screen.getByTestId<HTMLInputElement>("station-token").value).toBe("");
    expect(others, "the page begins anew once, with the other station").toEqual([2]);
  });

  it("shows both fingerprints of a certificate that has changed", async () => {
    show(() => ({ ...OWN, looked: { address: "lab.local:8420", shown: "AB:CD", pinned: "12:34" } }));
    fill("station-address", "lab.local");
    await act(async () => fireEvent.click(screen.getByTestId("station-look")));
    const alert = await screen.findByRole("alert");
    expect(alert.textContent).toContain("AB:CD");
    expect(alert.textContent).toContain("12:34");
  });

  it("shows no certificate under another address than the one that was looked at", async () => {
    const answer = later<DeskStatus>();
    show(() => answer.promise);
    fill("station-address", "lab.local");
    fireEvent.click(screen.getByTestId("station-look"));
    fill("station-address", "other.local");
    await act(async () =>
      answer.resolve({ ...OWN, looked: { address: "lab.local:8420", shown: "AB:CD", pinned: null } }),
    );
    expect(screen.queryByTestId("station-fingerprint")).toBeNull();
  });

  it("says that none is remembered once the desk has said so, and forgets none without being asked twice", async () => {
    const station = { name: "Lab", address: "lab.local:8420", fingerprint: "AB:CD" };
    const { acts, desk } = show(() => ({ ...OWN, stations: [station] }));
    expect(screen.queryByText("No station is remembered")).toBeNull();
    await act(async () => void (await desk.act({ act: "status" })));
    fireEvent.click(screen.getByTestId("station-forget-lab.local:8420"));
    fireEvent.click(screen.getByRole("button", { name: "Cancel" }));
    expect(screen.queryByTestId("station-forget-yes-lab.local:8420")).toBeNull();
    expect(acts.map((sent) => sent.act)).toEqual(["status"]);
  });

  it("says in a browser that only the app can", () => {
    renderWith(fakeStation(), <Stations />);
    expect(screen.getByText("Only the app shows another station")).toBeTruthy();
  });
});
