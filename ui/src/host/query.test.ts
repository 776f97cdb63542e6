import { MutationObserver, onlineManager, QueryObserver } from "@tanstack/react-query";
import { afterEach, expect, it, vi } from "vitest";
import { createQueryClient, TagInvalidator } from "./query";

it.each([
  ["by its tag", (rows: TagInvalidator) => rows.invalidate(["constraints"])],
  ["with everything else", (rows: TagInvalidator) => rows.invalidateAll()],
])("a row that is outdated %s while it is asked for the first time is asked for again", async (_, outdate) => {
  const client = createQueryClient();
  const answers: ((rows: string) => void)[] = [];
  const observer = new QueryObserver(client, {
    queryKey: ["constraints", "list_constraints", {}],
    queryFn: () => new Promise<string>((done) => answers.push(done)),
  });
  const end = observer.subscribe(() => undefined);
  await vi.waitFor(() => expect(answers).toHaveLength(1));
  const rows = new TagInvalidator(client);
  outdate(rows);
  outdate(rows);
  answers[0]?.("as it was");
  await vi.waitFor(() => expect(answers).toHaveLength(2));
  answers[1]?.("as it is");
  await vi.waitFor(() => expect(observer.getCurrentResult().data).toBe("as it is"));
  expect(answers).toHaveLength(2);
  end();
});

afterEach(() => onlineManager.setOnline(true));

it("a computer that has lost its network asks its station, and holds no act back for later", async () => {
  onlineManager.setOnline(false);
  const client = createQueryClient();
  expect(await client.fetchQuery({ queryKey: ["robots"], queryFn: () => "rows" })).toBe("rows");
  const act = new MutationObserver(client, { mutationFn: async () => "done" });
  expect(await act.mutate()).toBe("done");
});
