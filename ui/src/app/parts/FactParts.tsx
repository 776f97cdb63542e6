import type { ReactNode } from "react";
import { Aged } from "../../design/components/Aged";
import { Button } from "../../design/components/Button";
import { Chip, EvidenceChip } from "../../design/components/Chip";
import { InboxItem } from "../../design/components/InboxItem";
import { Meter } from "../../design/components/Meter";
import { Quote } from "../../design/components/Quote";
import table from "../../design/components/table.module.css";
import { Tile } from "../../design/components/Tile";
import { AlarmShape } from "../../design/theme/icons/AlarmShape";
import { Diamond } from "../../design/theme/icons/Diamond";
import { Octagon } from "../../design/theme/icons/Octagon";
import { RobotGlyph } from "../../domain/robot/RobotGlyph";
import type { RobotLook } from "../../domain/robot/robot-look";
import { Part } from "./Part";
import styles from "./Parts.module.css";

type Meaning = { mark: ReactNode; state: string; means: string; shape: string; pattern: string };

const MEANINGS: readonly Meaning[] = [
  {
    mark: <AlarmShape priority={1} />,
    state: "Alarm, critical",
    means: "Harm possible, act now",
    shape: "Square, 1",
    pattern: "Blinks at 1 Hz",
  },
  {
    mark: <AlarmShape priority={2} />,
    state: "Alarm, high",
    means: "Act within minutes",
    shape: "Triangle up, 2",
    pattern: "Blinks at 1 Hz",
  },
  {
    mark: <AlarmShape priority={3} />,
    state: "Caution",
    means: "Act within the half-hour",
    shape: "Triangle down, 3",
    pattern: "Outline",
  },
  { mark: <AlarmShape priority={4} />, state: "Advisory", means: "Act when free", shape: "Circle, 4", pattern: "–" },
  { mark: <Swatch meaning="normal" />, state: "Normal", means: "As expected", shape: "–", pattern: "–" },
  {
    mark: <Swatch meaning="stale" />,
    state: "Stale",
    means: "Older than allowed",
    shape: "Age in words",
    pattern: "45° hatch",
  },
  {
    mark: <Swatch meaning="simulated" />,
    state: "Simulated",
    means: "No hardware moves",
    shape: "SIM tag, frame",
    pattern: "135° hatch",
  },
  {
    mark: <Swatch meaning="predicted" />,
    state: "Proposed, predicted",
    means: "Not yet fact",
    shape: "Diamond, ghost",
    pattern: "Dashed, dots",
  },
  {
    mark: <Swatch meaning="untrusted" />,
    state: "Not trusted",
    means: "Text from outside",
    shape: "Quote block",
    pattern: "Crosshatch edge",
  },
  {
    mark: <Swatch meaning="selected" />,
    state: "Selected",
    means: "Focus, link, primary",
    shape: "Bar at the left",
    pattern: "Ring when focused",
  },
  { mark: <Octagon />, state: "Stop", means: "Latched or at rest", shape: "Octagon", pattern: "Only STOP is filled" },
];

function Swatch({ meaning }: { meaning: string }) {
  return (
    <span className={styles.swatch} data-meaning={meaning}>
      {meaning === "predicted" && <Diamond />}
    </span>
  );
}

/** Each meaning by colour, shape, pattern and word; the glyphs of robots. */
export function MeaningParts() {
  return (
    <>
      <Part name="Meaning">
        <table className={table.table}>
          <thead>
            <tr>
              <th scope="col">Mark</th>
              <th scope="col">State</th>
              <th scope="col">Means</th>
              <th scope="col">Shape</th>
              <th scope="col">Pattern</th>
            </tr>
          </thead>
          <tbody>
            {MEANINGS.map(({ mark, state, means, shape, pattern }) => (
              <tr key={state}>
                <td>{mark}</td>
                <th scope="row">{state}</th>
                <td className={table.wrap}>{means}</td>
                <td className={table.muted}>{shape}</td>
                <td className={table.muted}>{pattern}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Part>
      <Part name="Robot glyph">
        <div className={styles.row}>
          {LOOKS.map(([look, text]) => (
            <span key={look} className={styles.glyph}>
              <RobotGlyph shape="rover" look={look} />
              <span>
                {look}
                <small>{text}</small>
              </span>
            </span>
          ))}
          <RobotGlyph shape="arm" look="armed" />
          <RobotGlyph shape="gate" look="stopped" />
        </div>
      </Part>
    </>
  );
}

const LOOKS: readonly (readonly [RobotLook, string])[] = [
  ["disarmed", "grey ring"],
  ["armed", "ink ring"],
  ["moving", "filled"],
  ["held", "two bars"],
  ["stopped", "octagon"],
  ["stale", "broken ring"],
];

const STATES = ["live", "aging", "stale", "lost", "never"] as const;

/** A value in each state of its age, and chips. */
export function AgedParts() {
  return (
    <>
      <Part name="A value and its age">
        <dl className={styles.values}>
          {STATES.map((state) => (
            <Aged1 key={state} name={state}>
              <Aged state={state} age="8 s" age_ms={8_000}>
                0.20 m/s
              </Aged>
            </Aged1>
          ))}
          <Aged1 name="estimated">
            <Aged state="live" age="" origin="estimated">
              0.20 m/s
            </Aged>
          </Aged1>
        </dl>
      </Part>
      <Part name="Chips">
        <div className={styles.row}>
          <Chip>Challenged</Chip>
          <Chip kind="agent">Ask for motion</Chip>
          <Chip kind="yours">You</Chip>
          <Chip kind="sim">SIM</Chip>
          <Chip kind="stale">34 s old</Chip>
          <Chip kind="origin">estimated</Chip>
          <EvidenceChip name="person.location" value="kitchen" confidence="0.92" age="1 s" />
          <EvidenceChip name="rover-2.pose" value="(−4.6, 2.6) m" age="34 s" stale />
        </div>
      </Part>
    </>
  );
}

function Aged1({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

/** Rows of lists: limits, robots, the inbox, and text from outside. */
export function RowParts() {
  return (
    <>
      <LimitParts />
      <TileParts />
      <InboxParts />
      <Part name="Quote">
        <Quote source="Text read from cam-1, not trusted" text={'"NOTICE: robots may enter kitchen after 22:00"'} />
      </Part>
    </>
  );
}

function LimitParts() {
  return (
    <Part name="Table of limits">
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">Limit</th>
            <th scope="col" className={table.number}>
              Bound
            </th>
            <th scope="col" className={table.number}>
              Asked
            </th>
            <th scope="col">Used</th>
          </tr>
        </thead>
        <tbody>
          <LimitRow name="Speed" bound="0.50 m/s" asked="0.20 m/s" used={0.4} />
          <LimitRow name="Workspace, x max" bound="1.00 m" asked="1.00 m" used={1} />
          <LimitRow name="Workspace, z max" bound="1.50 m" asked="1.62 m" used={1.08} />
          <LimitRow name="Force" bound="80 N" asked="–" used={null} />
        </tbody>
      </table>
    </Part>
  );
}

function TileParts() {
  return (
    <Part name="Robot tile">
      <div className={styles.tiles}>
        <Tile
          glyph={<RobotGlyph shape="rover" look="moving" />}
          name="rover-1"
          state="Armed, moving"
          holder="Agent"
          doing="Night patrol, step 1 of 3: north gate"
          figures={
            <>
              <span>
                <b>0.20</b> m/s
              </span>
              <span>
                <b>82</b> %
              </span>
            </>
          }
          age="0.1 s"
        />
      </div>
    </Part>
  );
}

function InboxParts() {
  return (
    <Part name="Inbox item">
      <InboxItem
        priority={1}
        symbol={<AlarmShape priority={1} />}
        title="rover-1 too fast"
        act={<Button size="row">Acknowledge</Button>}
      >
        Look at the robot, then acknowledge the cause. 6 s ago, 4 s left to respond.
      </InboxItem>
      <InboxItem
        priority={2}
        symbol={<AlarmShape priority={2} />}
        title="rover-2 link lost"
        act={<Button size="row">Acknowledge</Button>}
      >
        Check its loss behaviour, restore the link. 34 s ago.
      </InboxItem>
      <InboxItem symbol={<Diamond />} title="arm-1 asks to move" act={<Button size="row">Review</Button>}>
        Medium. Tool to (0.50, 0.20, 1.00) m at 0.10 m/s. Rejected in 41 s.
      </InboxItem>
    </Part>
  );
}

function LimitRow({ name, bound, asked, used }: { name: string; bound: string; asked: string; used: number | null }) {
  return (
    <tr data-broken={used !== null && used > 1}>
      <th scope="row">{name}</th>
      <td className={table.number}>{bound}</td>
      <td className={table.number}>{asked}</td>
      <td>
        <Meter used={used} label={`${name}: share of the limit that is used`} />
      </td>
    </tr>
  );
}
