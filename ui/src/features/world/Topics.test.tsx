import { act, fireEvent, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { TopicRow } from "../../generated/bindings/TopicRow";
import { fakeStation, renderWith } from "../../testing/station";
import { Topics } from "./Topics";

const topic = (key_expr: string): TopicRow => ({
  key_expr,
  samples: 60,
  rate_hz: 1,
  bytes_per_s: 34,
  age_ms: 300,
  encoding: "application/json",
  form: "json",
  bytes: 34,
  too_large: 0,
  looks_like: null,
  last: "{}",
  cut: false,
  fields: [],
});

describe("topics that are heard", () => {
  it("tell their places in the table, of which only a part is made", async () => {
    renderWith(fakeStation({ list_topics: [topic("lab/a"), topic("lab/b")] }), <Topics topic={null} />);
    const link = await screen.findByText("lab/b");
    expect(link.closest("tr")?.getAttribute("aria-rowindex")).toBe("3");
  });

  it("are called silent only where they were listened to", async () => {
    const answers: (() => void)[] = [];
    const watch_topic = () => new Promise((resolve) => answers.push(() => resolve([])));
    renderWith(fakeStation({ list_topics: [], watch_topic }), <Topics topic={null} />);
    const field = screen.getByTestId("listen-pattern");
    const listenTo = async (pattern: string) => {
      fireEvent.change(field, { target: { value: pattern } });
      await act(async () => void fireEvent.click(screen.getByTestId("listen")));
    };
    await listenTo("lab/a");
    fireEvent.change(field, { target: { value: "lab/b" } });
    await act(async () => answers.shift()?.());
    expect(screen.queryByText("No samples.")).toBeNull();
    await listenTo("lab/a");
    await act(async () => answers.shift()?.());
    expect(screen.getByText("No samples.")).toBeTruthy();
  });
});
