// Files that are brought in as drafts: read here as bytes, sent in calls of a size that the station takes.

import { useState } from "react";
import type { MissionImported } from "../../generated/bindings/MissionImported";
import type { HostError } from "../../host/host";
import { useOperation } from "../../domain/station/useOperation";

/** Files and bytes of one call. */
const FILES_A_CALL = 20;
const BYTES_A_CALL = 700 * 1024;

/** A file with its bytes in Base64. */
type Read = { name: string; bytes_base64: string };

/** `reading` until every file has its outcome. */
export type MissionImport = {
  begin: (files: readonly File[]) => void;
  /** Puts a file in the place of the one whose name it has. */
  replace: (name: string) => void;
  /** Brings a file in under another name. */
  keepBoth: (name: string) => void;
  forget: () => void;
  outcomes: readonly MissionImported[];
  pending: boolean;
  error: HostError | null;
};

export function useMissionImport(): MissionImport {
  const call = useOperation("import_missions");
  const [outcomes, setOutcomes] = useState<readonly MissionImported[]>([]);
  const [files, setFiles] = useState<readonly Read[]>([]);
  const [reading, setReading] = useState(false);

  const send = (calls: readonly (readonly Read[])[], on_conflict: "ask" | "replace") => {
    const [first, ...rest] = calls;
    if (first === undefined) return;
    call.run({ files: [...first], on_conflict }, (answer) => {
      setOutcomes((before) => merged(before, answer.files));
      send(rest, on_conflict);
    });
  };
  const begin = async (chosen: readonly File[]) => {
    setReading(true);
    const read = await Promise.all(chosen.map(bytesOf)).finally(() => setReading(false));
    setFiles(read);
    setOutcomes([]);
    send(inCalls(read), "ask");
  };
  const again = (name: string, as: (read: Read) => Read, on_conflict: "ask" | "replace") => {
    const read = files.find((file) => file.name === name);
    if (read === undefined) return;
    const renamed = as(read);
    setFiles((before) => before.map((file) => (file === read ? renamed : file)));
    setOutcomes((before) => before.map((one) => (one.name === name ? { ...one, name: renamed.name } : one)));
    send([[renamed]], on_conflict);
  };
  return {
    begin: (chosen) => void begin(chosen),
    replace: (name) => again(name, (read) => read, "replace"),
    keepBoth: (name) => again(name, (read) => ({ ...read, name: nextName(read.name) }), "ask"),
    forget: () => {
      call.forget();
      setOutcomes([]);
      setFiles([]);
    },
    outcomes,
    pending: reading || call.pending,
    error: call.error,
  };
}

/** The next free-looking name: `dock.md`, `dock-2.md`, `dock-3.md`. */
export function nextName(name: string): string {
  const stem = name.replace(/\.md$/, "");
  const counted = /^(.*)-(\d+)$/.exec(stem);
  return counted === null ? `${stem}-2.md` : `${counted[1]}-${Number(counted[2]) + 1}.md`;
}

/** Files in as few calls as may be; one that is too large for any goes alone, and the station says so. */
export function inCalls(files: readonly Read[]): Read[][] {
  const calls: Read[][] = [];
  let bytes = 0;
  for (const file of files) {
    const size = (file.bytes_base64.length * 3) / 4;
    const last = calls.at(-1);
    if (last === undefined || last.length >= FILES_A_CALL || bytes + size > BYTES_A_CALL) {
      calls.push([file]);
      bytes = size;
    } else {
      last.push(file);
      bytes += size;
    }
  }
  return calls;
}

function merged(before: readonly MissionImported[], answer: readonly MissionImported[]): MissionImported[] {
  const names = new Set(answer.map(({ name }) => name));
  const kept = before.filter(({ name }) => !names.has(name));
  return [...kept, ...answer].sort((a, b) => a.name.localeCompare(b.name));
}

function bytesOf(file: File): Promise<Read> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => {
      const url = typeof reader.result === "string" ? reader.result : "";
      resolve({ name: file.name, bytes_base64: url.slice(url.indexOf(",") + 1) });
    });
    reader.addEventListener("error", () => reject(reader.error ?? new Error(file.name)));
    reader.readAsDataURL(file);
  });
}
