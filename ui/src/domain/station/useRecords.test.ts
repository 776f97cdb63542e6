import { describe, expect, it } from "vitest";
import type { AuditRecord } from "../../generated/bindings/AuditRecord";
import type { Host } from "../../host/host";
import { RECORDS_MAX, readOn } from "./useRecords";

const record = (seq: number) => ({ seq }) as AuditRecord;
const records = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => record(from + n));

/** A station with records up to `last`, and what it was asked for. */
function station(last: number) {
  const asked: unknown[] = [];
  const call = async (_: string, input: { after?: number; limit: number }) => {
    asked.push(input);
    const all = records(1, last);
    return input.after === undefined ? all.slice(-input.limit) : all.slice(input.after, input.after + input.limit);
  };
  return { host: { call } as unknown as Host, asked };
}

const seqs = async (last: number, known: readonly AuditRecord[]) => {
  const { host, asked } = station(last);
  const read = await readOn(host, known, new AbortController().signal);
  return { first: read[0]?.seq, last: read.at(-1)?.seq, count: read.length, asked };
};

describe("records of the audit", () => {
  it("are the newest ones at first", async () => {
    expect(await seqs(1_500, [])).toEqual({ first: 501, last: 1_500, count: 1_000, asked: [{ limit: RECORDS_MAX }] });
  });
  it("go on with those that came since, and drop the oldest", async () => {
    const known = records(501, 1_500);
    expect(await seqs(1_503, known)).toEqual({
      first: 504,
      last: 1_503,
      count: 1_000,
      asked: [{ after: 1_500, limit: RECORDS_MAX }],
    });
  });
  it("are read anew where more came than one page holds", async () => {
    const { first, last, count, asked } = await seqs(9_000, records(1, 10));
    expect([first, last, count, asked.length]).toEqual([8_001, 9_000, 1_000, 2]);
  });
});
