import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { SelectField } from "./SelectField";

it.each(["map", "gone"])("shows the value that it has, offered or not: %s", (value) => {
  const options = ["base_link", "map"].map((frame) => ({ value: frame, text: frame }));
  render(<SelectField label="Frame" value={value} options={options} problem={null} onChange={() => undefined} />);
  const select = screen.getByLabelText<HTMLSelectElement>("Frame");
  expect(select.selectedOptions[0]?.text).toBe(value);
});
