import { act, fireEvent, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { HostError } from "../../host/host";
import { later } from "../../testing/later";
import { fakeStation, renderWith } from "../../testing/station";
import { useOperation } from "./useOperation";
import { useSecretOperation } from "./useSecretOperation";

function Act() {
  const add = useOperation("start_simulator");
  return <button onClick={() => add.run({})}>act</button>;
}

function SecretAct() {
  const create = useSecretOperation("create_token");
  return <button onClick={() => void create.send({ label: "Tablet", kind: "person", role: "viewer" })}>act</button>;
}

const press = () => fireEvent.click(screen.getByRole("button"));

/** Two presses that are heard before anything is drawn. */
const pressTwice = () =>
  act(async () => {
    press();
    press();
  });

describe("U-104 an act that is pressed twice on a busy window", () => {
  it.each([
    ["an operation", Act, "start_simulator"],
    ["one with a secret", SecretAct, "create_token"],
  ])("is made once: %s", async (_, Shown, name) => {
    const station = fakeStation({ [name]: () => later().promise });
    renderWith(station, <Shown />);
    await pressTwice();
    expect(station.asked.map((ask) => ask.name)).toEqual([name]);
  });

  it("can be made again once it was refused", async () => {
    const station = fakeStation({
      start_simulator: () => {
        throw new HostError("no_answer", "late");
      },
    });
    const { settled } = renderWith(station, <Act />);
    press();
    await settled();
    press();
    await settled();
    expect(station.asked).toHaveLength(2);
  });
});
