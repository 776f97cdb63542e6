import { act, fireEvent, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { HostError } from "../../host/host";
import { fakeStation, renderWith } from "../../testing/station";
import { RowActs } from "./RowActs";
import { useOperation } from "./useOperation";

function Row() {
  const remove = useOperation("remove_provider");
  return (
    <RowActs
      kind="provider"
      id="box"
      edit="Edit box"
      remove="Remove box"
      doRemove="Remove provider"
      removal={remove}
      onEdit={() => undefined}
      onRemove={(onDone) => remove.run({ provider: "box" }, onDone)}
    />
  );
}

function show() {
  const station = fakeStation(
    {
      remove_provider: () => {
        throw new HostError("provider_in_use", "box is in use.");
      },
    },
    { role: "admin" },
  );
  const view = renderWith(station, <Row />);
  return { station, ...view };
}

const button = (name: string) => screen.getByRole("button", { name });
const press = (name: string, detail = 0) =>
  act(async () => {
    button(name).focus();
    fireEvent.click(button(name), { detail });
  });

it("the focus stays in the row while a removal is asked for and given up", async () => {
  show();
  await press("Remove box");
  expect(document.activeElement).toBe(button("Cancel"));
  await act(async () => void fireEvent.keyDown(button("Cancel"), { key: "Escape" }));
  expect(document.activeElement).toBe(button("Remove box"));
});

it("a refusal goes when the removal is given up, and is not there when it is asked for again", async () => {
  const { settled } = show();
  await press("Remove box");
  await press("Remove provider");
  await settled();
  expect(screen.getByText(/provider_in_use/)).toBeTruthy();
  await press("Cancel");
  await press("Remove box");
  expect(screen.queryByText(/provider_in_use/)).toBeNull();
});

it("the second half of a double click does not confirm", async () => {
  const { station } = show();
  await press("Remove box", 1);
  await press("Remove provider", 2);
  expect(station.asked).toEqual([]);
});
