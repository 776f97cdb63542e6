import { act, fireEvent, screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import type { AuditRecord } from "../../generated/bindings/AuditRecord";
import { fakeStation, renderWith } from "../../testing/station";
import { AuditList } from "./AuditList";

const HASH = "0".repeat(64);
const record = (seq: number): AuditRecord => ({
  seq,
  at_wall: 1_790_000_000_000 + seq * 1_000,
  at_mono: seq,
  station: "station-01",
  actor: seq % 2 === 0 ? "bridge" : "station",
  role: seq % 2 === 0 ? "operator" : null,
  origin: seq % 2 === 0 ? "person" : "station",
  operation: seq % 2 === 0 ? "arm_robot" : "verdict",
  input_hash: null,
  outcome: seq % 4 === 0 ? "causes_open" : "ok",
  verdict_id: null,
  set_version: null,
  epoch: null,
  detail: `rover-${seq}`,
  prev_hash: HASH,
  hash: HASH,
});
const ALL = Array.from({ length: 450 }, (_, place) => record(place + 1));

type Asked = { after?: number; limit?: number };
const listed = ({ after, limit = 200 }: Asked) =>
  after === undefined ? ALL.slice(-limit) : ALL.filter(({ seq }) => seq > after).slice(0, limit);

/** Waits until every page that was asked for is drawn. */
let settled: () => Promise<void>;
async function show(list: (asked: Asked) => readonly AuditRecord[] = listed) {
  const station = fakeStation({ list_audit: list }, { role: "viewer" });
  ({ settled } = renderWith(station, <AuditList />));
  await act(() => Promise.resolve());
  await screen.findByText("Records");
}
const range = () => screen.getByTestId("audit-range").textContent;
const press = async (id: string) => {
  fireEvent.click(screen.getByTestId(id));
  await settled();
};

it("U-1704 FU-20 the audit is read page by page, the newest record first, to its very beginning", async () => {
  await show();
  await screen.findByTestId("audit-450");
  expect(range()).toBe("251 to 450");
  expect(screen.getByTestId<HTMLButtonElement>("audit-newer").disabled).toBe(true);
  await press("audit-older");
  expect(range()).toBe("51 to 250");
  await press("audit-older");
  expect(range()).toBe("1 to 50");
  expect(screen.getByTestId<HTMLButtonElement>("audit-older").disabled).toBe(true);
  await press("audit-newer");
  expect(range()).toBe("51 to 250");
  await press("audit-newest");
  expect(range()).toBe("251 to 450");
});

it("U-1704 a record says who, what, about what, when and with which outcome", async () => {
  await show();
  const cells = within(await screen.findByTestId("audit-448")).getAllByRole("cell");
  const texts = cells.map(({ textContent }) => textContent);
  expect(texts.toSpliced(1, 1)).toEqual(["448", "bridge", "rover-448", "causes open"]);
  expect(cells[2]?.title).toBe("a person, Operator");
  expect(within(screen.getByTestId("audit-448")).getByRole("rowheader").textContent).toBe("arm robot");
});

it("U-1704 the filter takes every word, in any case, and says how many match", async () => {
  await show();
  await screen.findByTestId("audit-450");
  fireEvent.change(screen.getByTestId("audit-filter"), { target: { value: "ARM ROBOT rover-44" } });
  expect(screen.getByRole("status").textContent).toBe("5 matches");
  expect(screen.queryByTestId("audit-449")).toBeNull();
  fireEvent.change(screen.getByTestId("audit-filter"), { target: { value: "<script>" } });
  expect(screen.getByText("No record on this page matches")).toBeTruthy();
});

it("U-210 an audit without a record says what will be in it", async () => {
  await show(() => []);
  expect(await screen.findByText("No records yet")).toBeTruthy();
  expect(screen.getByTestId<HTMLButtonElement>("audit-older").disabled).toBe(true);
});
