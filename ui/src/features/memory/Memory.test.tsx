import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { MemoryHit } from "../../generated/bindings/MemoryHit";
import type { MemoryReviewRow } from "../../generated/bindings/MemoryReviewRow";
import type { Role } from "../../generated/bindings/Role";
import { HostError } from "../../host/host";
import { fakeStation, renderWith } from "../../testing/station";
import { Memory } from "./Memory";

const HIT: MemoryHit = {
  id: "ep-1",
  at: "2026-02-20T13:03:22.180Z",
  age_days: 0.4,
  role: "alert",
  content: "The toddler is near the stairs.",
  origin: "sensor(toddler.near_stairs)",
  trust: "typed",
  mission: null,
  cause: null,
  score: 3.11,
  relevance: 3.14,
};

const REVIEW: MemoryReviewRow = {
  id: "rv-1",
  target: "remember_note",
  about: {},
  before: "The gate opens at 7.",
  after: "The gate opens at 9.",
  provenance: { from: "agent(main)" },
  turn: "t-1",
  created_at: 1_772_990_000,
  state: "waiting",
};

/** Operations are called, and answered, in later tasks. */
const settle = () => act(async () => void (await new Promise((done) => setTimeout(done, 0))));

async function show(view: string | undefined, answers: Record<string, unknown>, role: Role = "operator") {
  const station = fakeStation({ list_memory_reviews: [], ...answers }, { role });
  const { queries } = renderWith(station, <Memory view={view} words={undefined} />);
  await settle();
  const asked = (name: string) => station.asked.filter((ask) => ask.name === name).map(({ input }) => input);
  return { queries, asked };
}

async function search(words: string) {
  fireEvent.change(screen.getByTestId("memory-query"), { target: { value: words } });
  fireEvent.submit(screen.getByRole("search"));
  await settle();
}

const press = async (testId: string) => {
  fireEvent.click(await screen.findByTestId(testId), { detail: 0 });
  await settle();
};

describe("E2-09 searching memory", () => {
  it("asks once somebody says so, marks the words, and says what is not known", async () => {
    const { asked } = await show(undefined, { memory_search: { items: [HIT], partial: true } });
    await search("stairs");
    expect(asked("memory_search")).toEqual([{ query: "stairs", limit: 50, match: "any", agent: "main" }]);
    await screen.findByText("stairs");
    expect(screen.getByText("stairs").tagName).toBe("MARK");
    expect(screen.getByRole("status").textContent).toContain("Not every record was searched");
  });

  it("says when nothing was found, and that words alone were looked for", async () => {
    await show(undefined, { memory_search: { items: [], partial: false, recall: "keyword" } });
    await search("x");
    expect(await screen.findByText("No record matches")).toBeTruthy();
    expect(screen.getByTestId("keyword-only").textContent).toContain("by words alone");
  });

  it("shows a refusal with its code", async () => {
    await show(undefined, {
      memory_search: () => {
        throw new HostError("empty_query", "The query holds no word.");
      },
    });
    await search("!");
    expect(await screen.findByText("code empty_query")).toBeTruthy();
  });

  it("needs an Admin to mark what is to be forgotten", async () => {
    await show(undefined, { memory_search: { items: [HIT], partial: false } });
    await search("stairs");
    await screen.findByRole("checkbox");
    expect(screen.getByRole<HTMLInputElement>("checkbox").disabled).toBe(true);
  });
});

describe("E2-11 forgetting", () => {
  it("first shows what would go, and does not do it", async () => {
    const { asked } = await show(
      undefined,
      {
        memory_search: { items: [HIT], partial: false },
        memory_forget: {
          message: "Would forget 1 entry",
          items: [{ id: "ep-1", content: "The toddler…" }],
          places: [],
        },
      },
      "admin",
    );
    await search("stairs");
    fireEvent.click(await screen.findByRole("checkbox"));
    await press("memory-forget");
    fireEvent.change(screen.getByTestId("memory-reason"), { target: { value: "asked by the family" } });
    const form = screen.getByTestId<HTMLInputElement>("memory-reason").form;
    if (form) fireEvent.submit(form);
    await settle();
    await screen.findByTestId("would-go");
    expect(screen.getByTestId("would-go").textContent).toBe("The toddler…");
    expect(asked("memory_forget")).toEqual([
      { ids: ["ep-1"], reason: "asked by the family", dry_run: true, agent: "main" },
    ]);
  });

  it("looks for the words everywhere, also where no record holds them", async () => {
    const { asked } = await show(
      undefined,
      {
        memory_search: { items: [], partial: false },
        memory_forget: {
          message: "No record holds it; 2 beliefs and 1 note file say it",
          items: [],
          places: [
            { held_in: "belief", count: 2 },
            { held_in: "note_file", count: 1 },
          ],
        },
      },
      "admin",
    );
    await search("Kim");
    await press("memory-forget-words");
    fireEvent.change(screen.getByTestId("memory-reason"), { target: { value: "asked by the family" } });
    await press("memory-dry-run");
    const held = await screen.findByTestId("held-in");
    expect(held.textContent).toBe("Beliefs: 2Note files: 1");
    expect(asked("memory_forget")).toEqual([
      { query: "Kim", reason: "asked by the family", dry_run: true, agent: "main" },
    ]);
  });
});

describe("what is kept, and what led to it", () => {
  it("goes back from a record to what caused it, one step at a time", async () => {
    const records = new Map([
      ["ep-0", { id: "ep-0", role: "system", content: "The oven is warm.", cause: "ep-00" }],
      ["ep-00", { id: "ep-00", role: "user", content: "Watch the oven.", cause: null }],
    ]);
    const record = ({ id }: { id: string }) => ({
      at: "2026-02-20T13:03:20.000Z",
      origin: "sensor(oven)",
      trust: "typed",
      mission: null,
      session: null,
      entry: null,
      ...records.get(id),
    });
    const { asked } = await show(undefined, {
      memory_search: { items: [{ ...HIT, cause: "ep-0" }], partial: false },
      get_record: record,
    });
    await search("stairs");
    await press("cause-ep-0");
    await screen.findByText("The oven is warm.");
    await press("cause-ep-00");
    await screen.findByText("Watch the oven.");
    expect(asked("get_record")).toEqual([
      { id: "ep-0", agent: "main" },
      { id: "ep-00", agent: "main" },
    ]);
  });

  it("lists notes with who wrote them and what is locked, as plain text", async () => {
    const note = {
      file: "MEMORY.md",
      title: null,
      text: "The <b>oven</b> is serviced on Mondays.",
      locked: true,
      from: "operator(dana)",
      at: "2026-02-20T13:03:20.000Z",
      trust: "trusted",
    };
    await show("notes", {
      list_notes: [
        note,
        {
          ...note,
          file: "knowledge.md",
          title: "Gate",
          from: null,
          at: null,
          trust: null,
          locked: false,
          text: "It opens at 7.",
        },
      ],
    });
    const list = await screen.findByTestId("notes");
    expect([
      list.querySelector("b"),
      [...list.querySelectorAll("strong")].map(({ textContent }) => textContent),
    ]).toEqual([null, ["locked: only a person changes it"]]);
    for (const part of ["always in mind", "operator(dana)", "Gate", "knowledge.md", "written by hand"])
      expect(list.textContent).toContain(part);
  });
});

describe("PN-06 reviews", () => {
  it("show what changes, and are accepted as they stand", async () => {
    const { asked } = await show("reviews", {
      list_memory_reviews: [REVIEW],
      decide_memory_review: { message: "Written.", id: "rv-1", state: "accepted" },
    });
    await screen.findByTestId("review-before");
    expect([
      screen.getByTestId("review-before").querySelector("del")?.textContent,
      screen.getByTestId("review-after").querySelector("ins")?.textContent,
    ]).toEqual(["7.", "9."]);
    await press("review-accept");
    expect(asked("decide_memory_review")).toEqual([{ id: "rv-1", accept: true, agent: "main" }]);
    expect(await screen.findByText("Written.")).toBeTruthy();
  });

  it("say what became of one, also where it is gone before the answer", async () => {
    let rows = [REVIEW, { ...REVIEW, id: "rv-2" }];
    let answer: (value: unknown) => void = () => undefined;
    const answered = new Promise((done) => {
      answer = done;
    });
    const decide = ({ id }: { id: string }) => {
      rows = rows.filter((row) => row.id !== id);
      return answered;
    };
    const { queries } = await show("reviews", { list_memory_reviews: () => rows, decide_memory_review: decide });
    fireEvent.click((await screen.findAllByTestId("review-accept"))[0] ?? document.body);
    await settle();
    await act(() => queries.invalidateQueries({ queryKey: ["reviews"] }));
    await waitFor(() => expect(screen.queryByTestId("review-rv-1")).toBeNull());
    await act(async () => answer({ message: "Written.", id: "rv-1", state: "accepted" }));
    expect(await screen.findByText("Written.")).toBeTruthy();
  });

  it("are rejected, or accepted in a person's own words", async () => {
    const { asked } = await show("reviews", {
      list_memory_reviews: [REVIEW],
      decide_memory_review: { message: "Done.", id: "rv-1", state: "edited" },
    });
    await press("review-edit");
    fireEvent.change(screen.getByTestId("review-edited"), { target: { value: " The gate opens at 8. " } });
    await press("review-accept-edited");
    expect(asked("decide_memory_review")).toEqual([
      { id: "rv-1", accept: true, edited: "The gate opens at 8.", agent: "main" },
    ]);
  });

  it("a Viewer reads and does not decide", async () => {
    await show("reviews", { list_memory_reviews: [REVIEW] }, "viewer");
    await screen.findByTestId("review-accept");
    expect(screen.getByTestId<HTMLButtonElement>("review-accept").disabled).toBe(true);
    expect(screen.getByText("needs Operator")).toBeTruthy();
  });
});
