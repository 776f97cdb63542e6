//! One running system: what it is made of, how it starts, what its clockwork does, how it ends.

mod clockwork;
mod ending;
mod start;

pub(crate) use ending::TASKS_UNTIL;
pub use start::StartError;

use std::collections::BTreeMap;
use std::sync::{Arc, RwLock};

use bridge::envelope::{Ack, Status, Subject};
use robot::{CommandId, Instant, RobotId, SiteId};
use tokio::sync::broadcast;
use world::alarm::{BuiltIn, Of};

use crate::agents::Agents;
use crate::alarms::Alarms;
use crate::code::StationCode;
use crate::commands::{Commands, Progress, Sight, Step};
use crate::fallbacks::Fallbacks;
use crate::gate;
use crate::hooks::Tally;
use crate::ingest::Feeds;
use crate::leases::Resources;
use crate::limit_sets::LimitSets;
use crate::mcp::Mcp;
use crate::model_registry::ModelRegistry;
use crate::operations::Repeats;
use crate::presence::Presence;
use crate::proposals::Proposals;
use crate::reject_counters::RejectCounters;
use crate::robot_handle::RobotHandle;
use crate::rooms::Rooms;
use crate::sandbox::Sandbox;
use crate::simulator::Simulator;
use crate::stops::Stops;
use crate::verdicts::Verdicts;
use runtime::Runtime;
use runtime::audit::AuditEntry;
use runtime::config::{ApprovalSettings, MemorySettings, SafetySettings, ToolSettings};
use runtime::error::OpError;
use runtime::event_bus::Frames;
use runtime::lock::{read, write};
use runtime::session::Session;
use runtime::stop_lane::StopLane;
use runtime::wire::{CommandStep, Fact, Mode, RobotSafety, SafetyStatus, Tag};

/// A running station. Operations are the only way in for people, programs and the agent.
pub struct Station {
    /// The services that all parts share.
    pub(crate) runtime: Arc<Runtime>,
    /// The agents, by id.
    pub(crate) agents: Agents,
    /// Keeps other processes out of the data directory.
    held: std::fs::File,
    /// Name of the site, as prompts say it.
    pub(crate) site: SiteId,
    /// Settings of the safety engine that the site has chosen.
    pub(crate) settings: SafetySettings,
    /// The settings of the site about cards.
    pub(crate) approvals: ApprovalSettings,
    pub(crate) memory: MemorySettings,
    tools: RwLock<Arc<ToolSettings>>,
    /// External MCP servers.
    pub(crate) mcp: Mcp,
    /// Sandbox for the programs of tools.
    pub(crate) sandbox: Sandbox,
    pub(crate) hooks: Tally,
    /// Language models and their providers.
    pub(crate) models: ModelRegistry,
    /// Feeds of received samples, by key expression.
    pub(crate) feeds: Feeds,
    pub(crate) alarms: Alarms,
    pub(crate) stops: Stops,
    pub(crate) fallbacks: Fallbacks,
    pub(crate) commands: Commands,
    pub(crate) verdicts: Verdicts,
    pub(crate) resources: Resources,
    pub(crate) presence: Arc<Presence>,
    pub(crate) proposals: Proposals,
    pub(crate) simulator: Simulator,
    pub(crate) rejects: Arc<RejectCounters>,
    /// Rooms in which operators of several stations speak.
    pub(crate) rooms: Rooms,
    pub(crate) repeats: Repeats,
    pub(crate) acks: broadcast::Sender<Arc<Ack>>,
    pub(crate) limit_sets: LimitSets,
    /// The thread on which stops run.
    pub(crate) stop_lane: StopLane,
    /// The thread on which words are searched for a stop.
    pub(crate) words_lane: StopLane,
    /// The thread on which what follows a stop runs.
    pub(crate) after_stops: StopLane,
    /// The last run ended while a robot could move.
    pub(crate) unclean: bool,
    units: RwLock<BTreeMap<RobotId, Arc<RobotHandle>>>,
    unusable: RwLock<BTreeMap<String, String>>,
}

impl Station {
    /// Settings of tools in `config.toml`, as they are now.
    pub(crate) fn tool_settings(&self) -> Arc<ToolSettings> {
        Arc::clone(&read(&self.tools))
    }

    /// Changes `config.toml`, and takes over what it says of tools.
    pub(crate) async fn edit_config(
        self: &Arc<Self>,
        change: impl FnOnce(&mut toml_edit::DocumentMut) -> Option<()> + Send,
    ) -> Result<(), OpError> {
        let tools = Arc::new(self.models.file().edit(change).await?.tools);
        *write(&self.tools) = Arc::clone(&tools);
        self.mcp.keep(self, &tools.mcp);
        Ok(())
    }

    /// Every robot with a valid manifest, by id.
    pub(crate) fn units(&self) -> Vec<Arc<RobotHandle>> {
        read(&self.units).values().cloned().collect()
    }

    /// One robot with a valid manifest.
    pub(crate) fn unit(&self, robot: &RobotId) -> Result<Arc<RobotHandle>, OpError> {
        let found = read(&self.units).get(robot).cloned();
        found.ok_or_else(|| match self.unusable().get(robot.as_str()) {
            Some(error) => {
                OpError::new(StationCode::ManifestInvalid, format!("The manifest of {robot} is refused: {error}."))
            }
            None => OpError::not_found(StationCode::RobotNotFound, "robot", robot),
        })
    }

    /// Manifest files that cannot be used, with what is wrong with them.
    pub(crate) fn unusable(&self) -> BTreeMap<String, String> {
        read(&self.unusable).clone()
    }

    /// LIVE as soon as one known robot is real.
    pub(crate) fn mode(&self) -> Mode {
        let units = self.units();
        if !units.is_empty() && units.iter().all(|unit| unit.simulated) { Mode::Sim } else { Mode::Live }
    }

    pub(crate) fn safety_status(&self) -> SafetyStatus {
        let now = self.runtime.clock.now().station;
        let robots: Vec<RobotSafety> = self.units().iter().map(|unit| unit.safety(now)).collect();
        let stops = self.stops.open_rows(self);
        SafetyStatus { mode: self.mode(), station: self.runtime.id.clone(), robots, stopped: !stops.is_empty(), stops }
    }

    /// Tells every window the safety state of `units`.
    pub(crate) fn tell_safety(&self, units: &[Arc<RobotHandle>]) {
        let now = self.runtime.clock.now().station;
        for unit in units {
            self.runtime.bus.fact(Fact::RobotSafety { safety: unit.safety(now) }, Some(Tag::Robots));
        }
        self.runtime.bus.changed(Tag::Safety);
    }

    /// Ends the turns that run. Part of every stop. A turn that stopped the robots itself goes on, so that it can say so:
    /// its other motion is gone with the proposals.
    pub(crate) fn end_turns_for_stop(&self, by: &Session) {
        if !by.is_agent() {
            self.agents.all().iter().for_each(|agent| agent.turns.stopped(self, agent));
        }
    }

    /// A message of a robot's gate about one of ours.
    pub(crate) fn note_ack(&self, unit: &RobotHandle, ack: &Ack, at: Instant) {
        match &ack.subject {
            Subject::Command { station, id } if station == &self.runtime.id => {
                self.note_report(unit, *id, ack.status);
                if ack.status == Status::Received {
                    gate::hold_what_came_late(self, unit, *id);
                }
            }
            Subject::Stop { station, stop_id } if station == &self.runtime.id => {
                self.stops.note_ack(self, unit, *stop_id, (ack.status, ack.speed_mps, ack.standstill), at);
            }
            Subject::Hold { station, hold_id } if station == &self.runtime.id => {
                unit.control().told_acknowledged(*hold_id)
            }
            Subject::Unreadable { key_expr } if ack.status == Status::BadSignature => {
                let sentence = format!("{} refused a message on {key_expr} that no station signed.", unit.id());
                self.alarms.note_forged(unit.id(), sentence.clone());
                if self.rejects.note_forged(unit.id()) {
                    self.runtime.bus.event("forged_message", sentence);
                }
            }
            Subject::Unreadable { key_expr } => self
                .runtime
                .bus
                .event("unreadable_message", format!("{} could not read a message on {key_expr}.", unit.id())),
            Subject::Claim { .. }
            | Subject::Release { .. }
            | Subject::Command { .. }
            | Subject::Stop { .. }
            | Subject::Hold { .. } => {}
        }
        // Nobody may be waiting for it.
        let _ = self.acks.send(Arc::new(ack.clone()));
    }

    /// A robot's report on a command. The end counts once it is measured; that the motion is over does at once.
    fn note_report(&self, unit: &RobotHandle, id: CommandId, status: Status) {
        if status != Status::Done {
            return self.note_steps(self.commands.report(id, unit.id(), status));
        }
        unit.control().ended(id);
        self.note_steps(self.commands.reported_done(id, unit.id(), &self.sight(unit)));
    }

    /// Looks again at goals that robots have reported as reached.
    pub(crate) fn confirm_goals(&self) {
        for unit in self.units() {
            self.note_steps(self.commands.confirm(unit.id(), || self.sight(&unit)));
        }
    }

    /// The picture that goals of `unit` are looked at with.
    pub(crate) fn sight(&self, unit: &RobotHandle) -> Sight {
        Sight { limits: unit.limits.load_full(), state: unit.robot_state(), now: self.runtime.clock.now().station }
    }

    /// Records and tells how far commands got.
    pub(crate) fn note_steps(&self, steps: impl IntoIterator<Item = Step>) {
        for step in steps {
            self.record_report(&step);
            self.tell_step(&step);
        }
    }

    /// When each robot was last heard, by its state or its gate.
    pub(crate) fn signs_of_life(&self) -> BTreeMap<RobotId, Instant> {
        let heard = self.units().into_iter().filter_map(|unit| {
            let last = unit.measurements().last_heard.max(unit.control().beats.last_answer)?;
            Some((unit.id().clone(), last))
        });
        heard.collect()
    }

    /// The robot that speaks below `key_expr`.
    pub(crate) fn robot_of(&self, key_expr: &str) -> Option<RobotId> {
        let speaks = |unit: &&Arc<RobotHandle>| {
            let rest = key_expr.strip_prefix(unit.manifest.site.as_str()).and_then(|rest| rest.strip_prefix('/'));
            rest.and_then(|rest| rest.strip_prefix(unit.id().as_str())).is_some_and(|rest| rest.starts_with('/'))
        };
        self.units().iter().find(speaks).map(|unit| unit.id().clone())
    }

    /// The robot with a key whose state is said on `key_expr`.
    pub(crate) fn signer_of(&self, key_expr: &str) -> Option<Arc<RobotHandle>> {
        read(&self.units).values().find(|unit| unit.signs(key_expr)).cloned()
    }

    /// Tells every window, and the proposal a command was sent under, how far it got.
    pub(crate) fn tell_step(&self, step: &Step) {
        self.note_motion_ended(step);
        let at_mono_ms = self.runtime.clock.now().station.mono_ms();
        let Progress { step: reached, code, off_goal } = step.progress.clone();
        if reached == CommandStep::Unknown {
            let sentence = format!("{} did not report on command {} in time.", step.robot, step.command);
            self.alarms.note(BuiltIn::CommandNoAnswer, &Of::robot(&step.robot), sentence);
        }
        let command = step.command.to_string();
        self.runtime.bus.fact(
            Fact::CommandStep { command, robot: step.robot.clone(), step: reached, code, off_goal, at_mono_ms },
            Some(Tag::Safety),
        );
        self.proposals.note_step(self, step);
    }

    /// A command that has ended, or of which nobody knows, no longer says that its robot moves.
    fn note_motion_ended(&self, step: &Step) {
        use runtime::wire::CommandStep::{Approved, Denied, Done, Failed, Received, RefusedByRobot, Running, Sent};
        use runtime::wire::CommandStep::{DoneNotConfirmed, Superseded, Unknown};
        match step.progress.step {
            Approved | Sent | Received | Running => {}
            Denied | Done | DoneNotConfirmed | Failed | Superseded | RefusedByRobot | Unknown => {
                if let Ok(unit) = self.unit(&step.robot) {
                    unit.control().ended(step.command);
                }
            }
        }
    }

    /// Records how a command ended. Steps on the way there are for screens; the gate records what it sent itself.
    fn record_report(&self, step: &Step) {
        let Progress { step: reached, code, .. } = &step.progress;
        let outcome = match reached {
            CommandStep::Denied
            | CommandStep::Approved
            | CommandStep::Sent
            | CommandStep::Received
            | CommandStep::Running => return,
            CommandStep::Done => "done",
            CommandStep::DoneNotConfirmed => "done_not_confirmed",
            CommandStep::Failed => "failed",
            CommandStep::Superseded => "superseded",
            CommandStep::RefusedByRobot => "refused_by_robot",
            CommandStep::Unknown => "unknown",
        };
        let code = code.as_deref().map_or_else(String::new, |code| format!(" code={code}"));
        let detail = format!("robot={} command={}{code}", step.robot, step.command);
        let entry = if *reached == CommandStep::Unknown {
            AuditEntry::by_station("report", outcome)
        } else {
            AuditEntry::by_robot(&step.robot, "report", outcome)
        };
        self.runtime.audit.note_done(entry.about(detail));
    }

    /// Puts on record that a host refused a request before it reached an operation.
    pub fn note_refused_by_host(&self, by: Option<&Session>, operation: &str, code: &str) {
        self.runtime.audit.note_refused_by_host(by, operation, code);
    }

    /// A host refuses requests because too many come. Its own thread does not wait for the list of alarms.
    pub fn note_flood(self: &Arc<Self>, sentence: String) {
        let station = Arc::clone(self);
        self.runtime.spawn(async move { station.alarms.note(BuiltIn::RequestFlood, &Of::station(), sentence) });
    }

    /// Opens a window's channel.
    pub fn subscribe(&self, session: &Session) -> Frames {
        self.runtime.bus.subscribe(self.presence.open_screen(session.id(), session.desk()))
    }
}
