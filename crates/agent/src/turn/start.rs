//! Start of a turn: its message, how hard that is, the context gathered for it; and the time it has.

use std::time::Duration;

use llm::Block;
use robot::{Instant, Origin, Trust};

use super::Turn;
use super::state::Phase;
use crate::{
    CancelReason, Demand, Effect, EntryKind, Event, Hook, Marker, Message, Profile, Purpose, ResumeText, Routed,
    Routing, Scene, Speaker, Trigger, continuation, route, router_request,
};

impl Turn {
    pub(super) fn start(&mut self, message: Message) -> bool {
        if !self.is_new() {
            return false;
        }
        if self.is_stale() {
            self.renew(message);
        } else {
            self.begin(&message);
        }
        true
    }

    /// Writes down the message and has gathered what is to be known with it.
    pub(super) fn begin(&mut self, message: &Message) {
        let now = self.log.now;
        if message.trigger() == Trigger::Resume && !self.log.transcript.is_resumed() {
            self.log.mark(Marker::Resumed);
        }
        self.state.speaker = Speaker { role: message.role(), in_room: message.trigger() == Trigger::Room };
        self.state.resumes = self.log.transcript.is_resumed();
        let blocks = vec![message.block(now.wall_ms)];
        // The message is written before anything is done for it, so that a crash cannot lose it.
        self.state.first = self.log.append(EntryKind::User, blocks, message.origin().clone());
        self.log.emit(Event::TurnStarted { trigger: message.trigger(), model: self.log.model.clone() });
        self.state.facts.request = message.text().to_owned();
        let classifies = self.route(message) == Some(Routing::Classify);
        self.state.clock.began = now.station;
        self.state.clock.deadline = now.station.plus(Duration::from_secs(self.policy().budget.wall_s.into()));
        self.wake_for_wall(self.state.clock.deadline);
        self.clear_first();
        self.log.effects.push(Effect::Prefetch { trigger: message.trigger(), text: message.text().to_owned() });
        self.state.phase = Phase::Context { classifies };
    }

    /// Takes the context gathered for the message; later, the changes since.
    pub(super) fn take_context(&mut self, mut blocks: Vec<Block>) -> bool {
        blocks.retain(|block| matches!(block, Block::Text { text, .. } if !text.is_empty()));
        match self.state.phase {
            Phase::Context { classifies } => {
                let news = self.state.news.take();
                let news = news.into_iter().chain(self.continuation());
                blocks.extend(news.map(|text| Block::Text { text, trust: Trust::Trusted }));
                self.show(blocks);
                // The classifier costs money as well; with none left the turn pauses instead.
                if classifies && self.spent().is_none() {
                    self.classify();
                } else {
                    self.go_on();
                }
                true
            }
            Phase::Model | Phase::Retrying { .. } | Phase::Tools(_) => {
                self.state.changes = blocks;
                true
            }
            Phase::New
            | Phase::Renewing(_)
            | Phase::Routing
            | Phase::Relieving(_)
            | Phase::Judging { .. }
            | Phase::Rescuing(_)
            | Phase::Ended => false,
        }
    }

    /// A hook lets no model see what was gathered. The exchange stays on disk and leaves every later view.
    pub(super) fn denied(&mut self, hook: Hook, reason: &str) -> bool {
        if !matches!(self.state.phase, Phase::Context { .. }) {
            return false;
        }
        self.log.emit(Event::ModelFailed { reason: format!("{hook} was denied by a hook: {reason}") });
        self.refuse(String::new());
        true
    }

    /// Note to a model that goes on with an older conversation, if the design puts it beside the state of the world and
    /// not in the system text. The command interpreter reads orders only.
    fn continuation(&self) -> Option<String> {
        let is_told = self.state.resumes && self.has_language_model();
        (is_told && self.policy().resume.text == ResumeText::Volatile).then(|| continuation().to_owned())
    }

    /// Writes what the model is to know of the world.
    pub(super) fn show(&mut self, blocks: Vec<Block>) {
        if !blocks.is_empty() {
            let entry = self.log.append(EntryKind::Volatile, blocks, Origin::System);
            self.log.emit(Event::Context { entry });
        }
    }

    fn route(&mut self, message: &Message) -> Option<Routing> {
        let scene = Scene {
            is_automation: match message.trigger() {
                Trigger::Operator | Trigger::Room => false,
                Trigger::Alert | Trigger::Schedule | Trigger::Decision | Trigger::Task | Trigger::Resume => true,
            },
            is_busy: self.surroundings.is_busy,
            names: &self.surroundings.names,
            mood: None,
        };
        let routing = route(self.policy(), message.text(), &scene)?;
        match routing {
            Routing::Sure(routed) => self.routed(routed),
            // The interpreter carries out orders as they stand.
            Routing::Classify if !self.has_language_model() => {
                let routed = Routed { profile: Profile::Deliberate, demand: Demand::Exact, doubt: 0 };
                self.routed(routed);
                return Some(Routing::Sure(routed));
            }
            Routing::Classify => {}
        }
        Some(routing)
    }

    fn classify(&mut self) {
        let side = self.side();
        let request = router_request(side.session, side.caps, side.policy, &self.state.facts.request);
        self.log.effects.push(Effect::Call { purpose: Purpose::Router, request });
        self.state.phase = Phase::Routing;
    }

    pub(super) fn routed(&mut self, routed: Routed) {
        self.state.routed = Some(routed);
        self.state.facts.demand = Some(routed.demand);
        self.log.emit(Event::Routed { profile: routed.profile, demand: routed.demand });
    }

    pub(super) fn tick(&mut self) -> bool {
        if self.is_new() {
            return false;
        }
        if let Phase::Renewing(_) = self.state.phase {
            // Its time begins with its message.
            return true;
        }
        let now = self.log.now.station;
        if let Phase::Retrying { at, relief } = self.state.phase {
            if now >= self.deadline() {
                return self.cancel(CancelReason::Timeout);
            }
            if now >= at {
                match relief {
                    None => self.call_again(),
                    Some(relief) => self.relieve_again(relief),
                }
            }
        }
        self.in_batch(|batch, bench| {
            batch.give_up_overdue(bench.log);
            true
        });
        // The end of the last call may have ended the turn.
        if self.has_ended() {
            return true;
        }
        let deadline = self.deadline();
        if now >= deadline {
            return self.cancel(CancelReason::Timeout);
        }
        // The deadline moves while a person is waited for, so the timer is set once more.
        if now >= self.state.clock.woken_at {
            self.wake_for_wall(deadline);
        }
        true
    }

    /// Time at which the turn is over, if nobody answers the questions open at present.
    fn deadline(&self) -> Instant {
        let asked_at = match &self.state.phase {
            Phase::Tools(batch) => batch.asked_at(),
            Phase::New
            | Phase::Renewing(_)
            | Phase::Context { .. }
            | Phase::Routing
            | Phase::Relieving(_)
            | Phase::Model
            | Phase::Retrying { .. }
            | Phase::Judging { .. }
            | Phase::Rescuing(_)
            | Phase::Ended => None,
        };
        let waited = asked_at.map_or(Duration::ZERO, |asked_at| self.log.now.station.since(asked_at));
        self.state.clock.deadline.plus(waited)
    }

    fn wake_for_wall(&mut self, at: Instant) {
        self.state.clock.woken_at = at;
        self.log.effects.push(Effect::Wake { at });
    }
}
