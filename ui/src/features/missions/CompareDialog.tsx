import type { ReactNode } from "react";
import { Dialog } from "../../design/components/Dialog";
import { Refusal } from "../../design/components/Refusal";
import type { NamedText } from "../../design/editor/TextCompare";
import type { HostError } from "../../host/host";
import { MissionCompare } from "./MissionCompare";

type CompareDialogProps = {
  title: string;
  /** The sentence that says what is to be chosen. */
  detail: string;
  before: NamedText;
  after: NamedText;
  error?: HostError | null;
  testId: string;
  /** The acts at its foot, the safe one first. */
  acts: ReactNode;
  onClose: () => void;
};

/** Two texts of one file, line by line, before a person chooses between them. */
export function CompareDialog({
  title,
  detail,
  before,
  after,
  error = null,
  testId,
  acts,
  onClose,
}: CompareDialogProps) {
  return (
    <Dialog title={title} size="wide" testId={testId} acts={acts} onClose={onClose}>
      <p>{detail}</p>
      <MissionCompare before={before} after={after} />
      <Refusal error={error} />
    </Dialog>
  );
}
