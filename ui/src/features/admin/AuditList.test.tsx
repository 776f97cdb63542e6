import { act, fireEvent, screen, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import type { AuditRecord } from "../../generated/bindings/AuditRecord";
import { speak } from "../../locales/i18n";
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
  await screen.findByText(/^(Records|Einträge)$/u);
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
  expect(cells[2]?.title).toBe("bridge: a person, Operator");
  expect(within(screen.getByTestId("audit-448")).getByText("bridge").tagName).toBe("BDI");
  expect(within(screen.getByTestId("audit-448")).getByRole("rowheader").textContent).toBe("Arm robot");
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

it("U-1704 the subject of a record stands in words, and whole in its title", async () => {
  const detail = "robot=rover-1 stop_id=3 reason=The yard is closed";
  await show(() => [{ ...record(1), detail }]);
  const subject = within(await screen.findByTestId("audit-1")).getByTitle(detail);
  const parts = Array.from(subject.firstElementChild?.children ?? [], ({ textContent }) => textContent);
  expect(parts).toEqual(["rover-1", "stop 3", "reason The yard is closed"]);
});

it("U-1704 a record opens to everything that is on record of it, and is copied whole", async () => {
  const detail = "robot=rover-1 cause=stop_all reason=Looked at the yard";
  const one = { ...record(2), outcome: "causes_open", verdict_id: null, set_version: 3, detail };
  await show(() => [one]);
  const open = await screen.findByTestId("audit-open-2");
  expect(open.getAttribute("aria-expanded")).toBe("false");
  fireEvent.click(open);
  expect(open.getAttribute("aria-expanded")).toBe("true");
  const facts = within(screen.getByTestId("audit-details-2"));
  const said = facts
    .getAllByRole("term")
    .map(({ textContent, nextSibling }) => [textContent, nextSibling?.textContent]);
  expect(said).toContainEqual(["Operation", "Arm robot arm_robot"]);
  expect(said).toContainEqual(["Outcome", "causes open causes_open"]);
  expect(said).toContainEqual(["Kind of actor", "a person, Operator"]);
  expect(said).toContainEqual(["robot", "rover-1"]);
  expect(said).toContainEqual(["cause", "STOP ALL stop_all"]);
  expect(said).toContainEqual(["reason", "Looked at the yard"]);
  expect(said).toContainEqual(["Limit set", "3"]);
  expect(said).toContainEqual(["Hash of this record", HASH]);

  let copied = "";
  vi.stubGlobal("navigator", { ...navigator, clipboard: { writeText: async (text: string) => (copied = text) } });
  fireEvent.click(facts.getByTestId("audit-copy-2"));
  expect(await facts.findByText("Copied")).toBeTruthy();
  expect(JSON.parse(copied)).toEqual(one);
  vi.unstubAllGlobals();

  fireEvent.click(screen.getByTestId("audit-2"));
  expect(screen.queryByTestId("audit-details-2")).toBeNull();
});

it("U-2006 acts and outcomes stand in words of the language, with the code in the title", async () => {
  await speak("de");
  await show(() => [{ ...record(2), outcome: "cause_present" }]);
  expect((await screen.findByTestId("audit-open-2")).textContent).toBe("Roboter scharf schalten");
  expect(screen.getByTitle("arm_robot")).toBeTruthy();
  expect(screen.getByTitle("cause_present").textContent).toBe("Ursache besteht noch");
  await act(() => speak("en"));
});
