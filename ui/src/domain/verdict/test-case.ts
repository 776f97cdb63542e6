// A denial as a file that can be judged again.

import type { ItemRow } from "../../generated/bindings/ItemRow";
import type { RawCommand } from "../../generated/bindings/RawCommand";
import type { Verdict } from "../../generated/bindings/Verdict";
import { saveFile } from "../../host/save-file";

/** The file: what was asked, what was decided, and by which set of limits. */
export type TestCase = {
  schema: 1;
  command: RawCommand | null;
  verdict: Verdict;
  explanation: readonly ItemRow[];
  set_version: number;
  set_hash: string;
};

/** Everything the window knows of the inputs. */
export function testCaseOf(command: RawCommand | null, verdict: Verdict, explanation: readonly ItemRow[]): TestCase {
  return { schema: 1, command, verdict, explanation, set_version: verdict.set_version, set_hash: verdict.set_hash };
}

/** Hands a case to the browser as a download. */
export function saveTestCase(test: TestCase): void {
  saveFile(`denial-${test.verdict.id}.json`, `${JSON.stringify(test, null, 2)}\n`);
}
