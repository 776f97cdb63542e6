import { act, fireEvent, render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { useHeldOrder } from "./useHeldOrder";

function List({ names }: { names: readonly string[] }) {
  const { rows, handlers } = useHeldOrder(names, (name) => name);
  return (
    <ul
      data-testid="list"
      onMouseOver={handlers.onPointerEnter}
      onMouseOut={handlers.onPointerLeave}
      onFocus={handlers.onFocus}
      onBlur={handlers.onBlur}
    >
      {rows.map(({ row }) => (
        <li key={row}>
          <button type="button">{row}</button>
        </li>
      ))}
    </ul>
  );
}

const order = () => screen.getAllByRole("button").map(({ textContent }) => textContent);

it("keeps its order under the pointer when the focus that came with it goes", () => {
  const view = render(<List names={["arm-1", "rover-1"]} />);
  const list = screen.getByTestId("list");
  const [first] = screen.getAllByRole("button");
  act(() => {
    fireEvent.mouseOver(list);
    first?.focus();
  });
  act(() => first?.blur());
  view.rerender(<List names={["rover-1", "arm-1"]} />);
  expect(order()).toEqual(["arm-1", "rover-1"]);
  fireEvent.mouseOut(list);
  expect(order()).toEqual(["rover-1", "arm-1"]);
});
