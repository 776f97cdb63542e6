import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { SessionInfo } from "../../generated/bindings/SessionInfo";
import { HostError } from "../../host/host";
import { fakeStation, renderWith } from "../../testing/station";
import { AdminGrant } from "./AdminGrant";

function show(session: Partial<SessionInfo>, answers: Record<string, unknown> = {}) {
  const station = fakeStation(answers, session);
  renderWith(station, <AdminGrant />);
  return station;
}

const click = (name: string) => act(async () => void fireEvent.click(screen.getByRole("button", { name })));
const text = () => screen.queryByTestId("admin-grant")?.textContent ?? null;

describe("acting as Admin", () => {
  it.each(["viewer", "admin"] as const)("is not offered to a %s", (role) => {
    show({ role });
    expect(text()).toBeNull();
  });

  it("U-104 is what the station granted, with the time left", async () => {
    const station = show({}, { act_as_admin: { role: "admin", until_mono_ms: 310_000 } });
    await click("Act as Admin");
    await waitFor(() => expect([station.store.session?.role, text()]).toEqual(["admin", "Admin for 5 min 0 sEnd"]));
  });

  it("ends at a press", async () => {
    const station = show(
      { role: "admin", admin_until_mono_ms: 40_000 },
      { end_admin: { role: "operator", until_mono_ms: null } },
    );
    await click("End");
    await waitFor(() => expect([station.store.session?.role, text()]).toEqual(["operator", "Act as Admin"]));
  });

  it("shows why the station refuses", async () => {
    const refused = () => {
      throw new HostError("forbidden", "This token may not act as Admin.", null, 403);
    };
    const station = show({}, { act_as_admin: refused });
    await click("Act as Admin");
    await waitFor(() =>
      expect([station.store.session?.role, text()]).toEqual([
        "operator",
        "Act as AdminThis token may not act as Admin. code forbidden",
      ]),
    );
  });

  it("is not offered to the bearer of a token", () => {
    show({ has_token: true });
    expect(text()).toBeNull();
  });

  it("asks for the PIN first where one is set, and keeps nothing of it", async () => {
    const station = show({ has_admin_pin: true }, { act_as_admin: { role: "admin", until_mono_ms: 310_000 } });
    await click("Act as Admin");
    expect(station.asked).toEqual([]);
    const field = screen.getByTestId<HTMLInputElement>("admin-pin");
    expect(document.activeElement).toBe(field);
    fireEvent.change(field, { target: { value: "correct-horse" } });
    await click("Act as Admin");
    await waitFor(() => expect(station.store.session?.role).toBe("admin"));
    expect(station.asked).toEqual([{ name: "act_as_admin", input: { pin: "correct-horse" } }]);
  });

  it("leaves the PIN at Escape", async () => {
    show({ has_admin_pin: true });
    await click("Act as Admin");
    fireEvent.keyDown(screen.getByTestId("admin-pin"), { key: "Escape" });
    expect(text()).toBe("Act as Admin");
    expect(document.activeElement).toBe(screen.getByRole("button", { name: "Act as Admin" }));
  });
});
