import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { HostError } from "../../host/host";
import { fakeStation, renderWith } from "../../testing/station";
import { RuleForm } from "./RuleForm";

function show(answers: Record<string, unknown>) {
  const station = fakeStation({ list_missions: [], ...answers }, { role: "admin" });
  let told: unknown = null;
  renderWith(
    station,
    <RuleForm row={null} onKey="oven.smoke" onClose={() => undefined} onDone={(answer) => (told = answer)} />,
  );
  return { station, told: () => told };
}

const submit = () => act(async () => void fireEvent.click(screen.getByTestId("rule-submit")));

describe("a new rule", () => {
  it("Q-02 points at what the station does not understand", async () => {
    const refused = () => {
      throw new HostError(
        "bad_predicate",
        "predicate: column 14: found end, expected a value",
        { path: "predicate", column: 14 },
        422,
      );
    };
    show({ register_alert: refused });
    await submit();
    const problem = await screen.findByText(/column 14: found end/);
    expect(problem.previousSibling?.textContent).toBe("oven.smoke = \n             ^");
    expect(screen.getByTestId("rule-predicate").getAttribute("aria-invalid")).toBe("true");
  });

  it("U-1304 says which part of an alarm is missing", async () => {
    const refused = () => {
      throw new HostError("incomplete_alarm", "an alarm needs cause, response", { path: "alarm" }, 422);
    };
    show({ register_alert: refused });
    await submit();
    await screen.findByText(/an alarm needs cause, response/);
  });

  it("is registered as it is written", async () => {
    const answer = { message: "Alert registered", id: "al-1", predicate: "oven.smoke > 0.3", warnings: [] };
    const { station, told } = show({ register_alert: answer });
    fireEvent.change(screen.getByTestId("rule-predicate"), { target: { value: "oven.smoke > 0.3" } });
    fireEvent.change(screen.getByTestId("rule-cause"), { target: { value: "There is smoke at the oven." } });
    fireEvent.change(screen.getByTestId("rule-response"), { target: { value: "Switch the oven off." } });
    await submit();
    await waitFor(() => expect(told()).toEqual(answer));
    expect(station.asked.find(({ name }) => name === "register_alert")?.input).toEqual({
      agent: "main",
      predicate: "oven.smoke > 0.3",
      debounce_secs: 60,
      arousal_boost: 2,
      alarm: {
        consequence: "mission",
        time_to_respond_secs: 300,
        latching: false,
        off_delay_secs: 0,
        cause: "There is smoke at the oven.",
        response: "Switch the oven off.",
      },
    });
  });
});
