import { fireEvent, screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { AuditCheck } from "../../generated/bindings/AuditCheck";
import type { AuditSigning } from "../../generated/bindings/AuditSigning";
import type { FallbackRow } from "../../generated/bindings/FallbackRow";
import type { LockRow } from "../../generated/bindings/LockRow";
import type { StandingApprovalRow } from "../../generated/bindings/StandingApprovalRow";
import { fakeStation, renderWith } from "../../testing/station";
import { AuditNotice } from "./AuditNotice";
import { AuditSection } from "../../domain/audit/AuditSection";
import { Fallbacks } from "./Fallbacks";
import { Locks } from "./Locks";
import { StandingApprovals } from "./StandingApprovals";

async function cells(testId: string) {
  const table = await screen.findByTestId(testId);
  return [...table.querySelectorAll("tbody tr")].map((row) => [...row.children].map((cell) => cell.textContent));
}

describe("standing approvals", () => {
  const ROW: StandingApprovalRow = {
    id: "sa-1",
    robot: "arm-1",
    mission: null,
    operation: "send_command",
    envelope: {
      actuator: "arm",
      workspace: { x: [0, 0.5], y: [-0.25, 0.25], z: [0.5, 1] },
      frame: "base_link",
      speed_mps_max: 0.2,
    },
    count: 10,
    used: 3,
    granted_by: "dana",
    expires_at: 1_060,
    expires_mono_ms: 70_000,
  };

  it("say how often they were used and how long they last, and are revoked", async () => {
    const station = fakeStation({
      list_standing_approvals: [ROW, { ...ROW, id: "sa-2", robot: "rover-1" }],
      revoke_standing_approval: {},
    });
    renderWith(station, <StandingApprovals robot="arm-1" />);
    expect(await cells("standing-approvals")).toEqual([
      [
        "arm-1 arm",
        "x 0 … 0.5 my −0.25 … 0.25 mz 0.5 … 1 min base_linkat most 0.2 m/s",
        "3 of 10",
        "in 1 min 0 s",
        "dana",
        "Revoke",
      ],
    ]);
    fireEvent.click(screen.getByTestId("revoke-sa-1"));
    await waitFor(() =>
      expect(station.asked.at(-1)).toEqual({ name: "revoke_standing_approval", input: { id: "sa-1" } }),
    );
  });
});

describe("locks", () => {
  it("say who uses which part", async () => {
    const lock = (resource: string, owner: LockRow["owner"]): LockRow => ({
      robot: "arm-1",
      actuator: "arm",
      resource,
      owner,
      token: owner && 7,
    });
    const locks = [
      lock("arm-1/body/arm", { person: { session: "app-window", name: "dana" } }),
      lock("arm-1/body/gripper", { mission: { agent: "main", id: "calibrate-arm" } }),
      lock("arm-1/body/lamp", null),
    ];
    renderWith(fakeStation({ list_locks: locks }), <Locks robot={null} />);
    expect(await cells("locks")).toEqual([
      ["arm-1/body/arm", "You", "7"],
      ["arm-1/body/gripper", "mission calibrate-arm", "7"],
      ["arm-1/body/lamp", "free", "–"],
    ]);
  });
});

describe("fallbacks", () => {
  it("say what is done, in order, and how far the newest run got", async () => {
    const rows: FallbackRow[] = [
      {
        robot: "arm-1",
        class: "link",
        steps: [
          { step: "stop_actuators", outcome: "done", after_ms: 80 },
          { step: "alert_agent", outcome: "failed", after_ms: null },
        ],
        begun_mono_ms: 7_000,
        why: "no answer for 500 ms",
        why_kind: null,
      },
      {
        robot: "arm-1",
        class: "sensor",
        steps: [{ step: "stop_actuators", outcome: null, after_ms: null }],
        begun_mono_ms: null,
        why: null,
        why_kind: null,
      },
    ];
    renderWith(fakeStation({ list_fallbacks: rows }), <Fallbacks robot="arm-1" />);
    expect(await cells("fallbacks")).toEqual([
      ["Link failed", "stop the actuators done after 80 mswake the agent FAILED", "3.0 s agono answer for 500 ms"],
      ["Sensor failed", "stop the actuators ", "never yet"],
    ]);
  });
});

describe("an audit that differs from what was written", () => {
  it("says what was found and that nothing is armed, and asks why it is accepted", async () => {
    const station = fakeStation(
      {
        audit_state: { checked: true, found: ["Record 9 is missing."], accepted_up_to: null },
        accept_audit: { found: [], accepted_up_to: 12 },
      },
      { role: "admin" },
    );
    renderWith(station, <AuditNotice />);
    expect((await screen.findByTestId("audit-found")).textContent).toBe("Record 9 is missing.");
    expect(screen.getByRole("alert").textContent).toContain("No robot can be armed");
    fireEvent.click(screen.getByTestId("accept-audit"));
    fireEvent.change(screen.getByTestId("accept-audit-form-reason"), { target: { value: "looked at" } });
    fireEvent.click(screen.getByTestId("accept-audit-form-submit"));
    const input = { reason: "looked at", found: ["Record 9 is missing."] };
    await waitFor(() => expect(station.asked.at(-1)).toEqual({ name: "accept_audit", input }));
  });

  it("is not spoken of while there is none", async () => {
    renderWith(fakeStation({ audit_state: { checked: true, found: [], accepted_up_to: null } }), <AuditNotice />);
    await waitFor(() => expect(screen.queryByTestId("audit-found")).toBeNull());
  });
});

describe("the audit", () => {
  const SIGNED: AuditSigning = {
    signed: true,
    public_key: "ed25519:11qY",
    unsigned_because: null,
    unsigned_kind: null,
  };
  const UNSIGNED: AuditSigning = {
    signed: false,
    public_key: null,
    unsigned_because: "no keychain",
    unsigned_kind: null,
  };
  const CHECK: AuditCheck = {
    intact: true,
    verified: 18_231,
    first_broken_seq: null,
    fault: null,
    fault_kind: null,
    signed_up_to: 18_176,
    signing: SIGNED,
    accepted_up_to: null,
  };

  it.each<[AuditSigning, string]>([
    [SIGNED, "Signed with ed25519:11qY"],
    [UNSIGNED, "Unsigned – no keychain "],
  ])("says whether it is signed: %o", (audit_signing, text) => {
    renderWith(fakeStation({}, { audit_signing }), <AuditSection />);
    expect(screen.getByTestId("audit-signing").textContent).toBe(text);
  });

  it.each<[Partial<AuditCheck>, string]>([
    [{}, "Intact up to record 18231, signed up to record 18176"],
    [{ signed_up_to: null }, "Intact up to record 18231, no record is signed yet"],
    [{ intact: false, first_broken_seq: 41, fault: "its hash is another" }, "BROKEN at record 41: its hash is another"],
    [
      { intact: false, first_broken_seq: 41, fault: "gone", accepted_up_to: 60 },
      "BROKEN at record 41: gone, accepted as found up to record 60",
    ],
  ])("is verified: %o", async (change, text) => {
    renderWith(fakeStation({ verify_audit: { ...CHECK, ...change } }), <AuditSection />);
    fireEvent.click(screen.getByTestId("verify-audit"));
    await waitFor(() => expect(screen.getByTestId("audit-check").textContent).toBe(text));
  });
});
