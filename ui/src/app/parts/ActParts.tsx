import { Maximize2, Undo2 } from "lucide-react";
import { useState } from "react";
import { Band } from "../../design/components/Band";
import { Button } from "../../design/components/Button";
import { Card, Figure } from "../../design/components/Card";
import { Dialog } from "../../design/components/Dialog";
import { HoldButton } from "../../design/components/HoldButton";
import { HoldFace } from "../../design/hold/HoldFace";
import hold from "../../design/hold/Hold.module.css";
import { IconButton } from "../../design/components/IconButton";
import { Keys } from "../../design/components/Keys";
import { Notice } from "../../design/components/Notice";
import { Segments } from "../../design/components/Segments";
import { Tabs } from "../../design/components/Tabs";
import { say } from "../../design/components/toast-queue";
import { Toolbar } from "../../design/components/Toolbar";
import { NumberField } from "../../design/fields/NumberField";
import { SelectField } from "../../design/fields/SelectField";
import { SwitchField } from "../../design/fields/SwitchField";
import { TextField } from "../../design/fields/TextField";
import { Split } from "../../design/layout/Split";
import { Part } from "./Part";
import styles from "./Parts.module.css";

const nothing = () => undefined;

/** Buttons of every kind. */
export function ActParts() {
  return (
    <Part name="Buttons">
      <div className={styles.row}>
        <Button look="primary">Start</Button>
        <Button>Edit…</Button>
        <Button look="quiet">Discard</Button>
        <IconButton label="Full view" Icon={Maximize2} look="plain" onClick={nothing} />
        <IconButton label="Undo" Icon={Undo2} keys="Ctrl+Z" onClick={nothing} />
        <Button disabled>Approve, needs Operator</Button>
        <Button size="row">In a row</Button>
        <Button size="large" look="primary">
          In a bar
        </Button>
        <Keys>Ctrl+K</Keys>
      </div>
    </Part>
  );
}

/** The hold button in each of its states, in the same box. */
export function HoldParts() {
  const [acted, setActed] = useState(0);
  return (
    <Part name="Hold button">
      <div className={styles.row}>
        <HoldButton
          label="Approve drive of rover-1"
          version="1"
          needsHold
          disabled={false}
          pending={false}
          testId="hold-ready"
          onAct={() => setActed(acted + 1)}
        />
        <HoldButton
          label="Approve drive of rover-1"
          version="1"
          needsHold
          disabled={false}
          pending={false}
          refused="The pose is too old: re-check"
          testId="hold-refused"
          onAct={nothing}
        />
        <HoldButton
          label="Approve drive of rover-1"
          version="1"
          needsHold
          disabled={false}
          pending
          testId="hold-sending"
          onAct={nothing}
        />
        <HoldButton
          label="Approve, needs Operator"
          version="1"
          needsHold
          disabled
          pending={false}
          testId="hold-off"
          onAct={nothing}
        />
        <button type="button" className={hold.button} data-phase="armed">
          <HoldFace phase="armed" label="Approve drive of rover-1" hint="Activate once more" />
        </button>
        <output data-testid="hold-acted">{acted}</output>
      </div>
    </Part>
  );
}

const SIDES = [
  { value: "top", text: "Top" },
  { value: "front", text: "Front" },
  { value: "side", text: "Side" },
] as const;
type Side = (typeof SIDES)[number]["value"];

/** Segments, tabs, fields, the toolbar and the splitter. */
export function FieldParts() {
  const [side, setSide] = useState<Side>("top");
  const [on, setOn] = useState(true);
  const [text, setText] = useState("5.00");
  return (
    <>
      <Part name="Segments, tabs and toolbar">
        <Toolbar title="Site" state="map frame">
          <Segments label="View from" value={side} options={SIDES} onChange={setSide} />
          <Button look="quiet">In words</Button>
        </Toolbar>
        <Tabs label="Parts of a mission" value={side} options={SIDES} onChange={setSide}>
          <span data-testid="tab-shown">{side}</span>
        </Tabs>
      </Part>
      <Part name="Fields">
        <div className={styles.row}>
          <NumberField field={{ label: "x max", unit: "m", step: 0.1 }} text={text} problem={null} onText={setText} />
          <SelectField
            label="Frame"
            value="map"
            problem={null}
            options={[
              { value: "map", text: "map" },
              { value: "base_link", text: "base_link" },
            ]}
            onChange={nothing}
          />
          <TextField label="Reason" value="" problem="A reason is needed" testId="parts-reason" onChange={nothing} />
          <SwitchField label="Sound" on={on} testId="parts-switch" onChange={setOn} />
        </div>
      </Part>
      <Part name="Splitter">
        <div className={styles.split} data-testid="parts-split">
          <Split
            id="parts"
            label="Width of the queue"
            along="row"
            first_px={120}
            min_px={80}
            max_px={360}
            first={<section>Queue</section>}
            second={<section>Card</section>}
          />
        </div>
      </Part>
    </>
  );
}

/** Parts in the place of contents, and over them. */
export function StateParts() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Part name="Panel states">
        <div className={styles.three}>
          <Card>
            <Notice title="Loading limits…" />
          </Card>
          <Card>
            <Notice title="No beliefs yet" detail="A belief is what stays true for longer.">
              <Button>Try “remember…”</Button>
            </Notice>
          </Card>
          <Card>
            <Notice title="Limits not loaded" detail="The station did not answer in time." code="no_answer">
              <Button>Retry</Button>
            </Notice>
          </Card>
          <Notice look="stale" title="No contact, 4 s" detail="Everything is old. Only STOP ALL acts." />
          <Card>
            <Notice title="Needs Admin" detail="Contents stay readable, controls say why not." />
          </Card>
          <Card>
            <Figure value="0.12" unit="m" about="below z max" />
          </Card>
        </div>
        <Band title="Stopped">Stop #41 by you at 22:11:03.180. The latch is saved and survives a restart.</Band>
      </Part>
      <Part name="Dialog and toast">
        <div className={styles.row}>
          <Button data-testid="open-dialog" onClick={() => setOpen(true)}>
            Cancel mission…
          </Button>
          <Button
            data-testid="show-toast"
            onClick={() => say({ text: "Shift report deleted", undo: async () => null })}
          >
            Delete
          </Button>
        </div>
        {open && (
          <Dialog
            title="Cancel Night patrol?"
            testId="parts-dialog"
            acts={
              <>
                {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the safe answer takes the focus */}
                <Button autoFocus onClick={() => setOpen(false)}>
                  Keep it
                </Button>
                <Button onClick={() => setOpen(false)}>Cancel mission</Button>
              </>
            }
            onClose={() => setOpen(false)}
          >
            It stops where it is and cannot be resumed.
          </Dialog>
        )}
      </Part>
    </>
  );
}
