//! Sessions: signed-in callers. Kind, role and name come from the sign-in of the session, never from what it sends.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use memory::StoredToken;
use robot::{AgentId, Audience, ConversationId, Instant, Role, SessionId, SessionKind, Source, StationId, TurnId};
use safety::arbitration::{DeskKind, Person};

use crate::audit::AuditOrigin;
use crate::wire::StopShortcut;

/// Duration of *Act as Admin*.
const ADMIN_FOR: Duration = Duration::from_secs(15 * 60);

/// The session of the app's own window.
pub const APP_WINDOW: &str = "app-window";

/// The origin of an agent's call.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cause {
    /// The turn; none if a job runs the operation itself.
    pub turn: Option<TurnId>,
    /// The conversation, and the entry in it that holds the call.
    pub entry: Option<(ConversationId, u64)>,
    /// The run of a job that started it.
    pub run: Option<String>,
    /// The record of its cause.
    pub record: Option<String>,
    /// Untrusted text may have led the model to make the call.
    pub tainted: bool,
}

/// The way in which a person let a change of memory through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reviewed {
    /// Its words are still those of untrusted text.
    AsItStood,
    /// Its words are the person's own now.
    Edited,
}

/// A signed-in caller. Clones are the same session.
#[derive(Debug, Clone)]
pub struct Session {
    /// Names the session, not the person: control of a robot belongs to one desk.
    id: SessionId,
    actor: String,
    /// Its location, for people.
    desk: DeskKind,
    kind: SessionKind,
    role: Role,
    /// The agent that it is, or that its calls are about.
    about: Option<AgentId>,
    is_agent: bool,
    /// The origin of an agent's call.
    cause: Option<Arc<Cause>>,
    /// Its writes were asked for by a tainted turn and let through by this person.
    review: Option<Reviewed>,
    /// Whatever else its role allows.
    only_stops: bool,
    /// It signed in with a token, whose role nothing raises.
    has_token: bool,
    stop_shortcut: StopShortcut,
    /// Until then it acts as Admin; the start of the clock if it does not.
    admin_until: Arc<AtomicU64>,
    /// An Admin who has ended that goes on as an Operator.
    laid_down: Arc<AtomicBool>,
    /// Its screen is locked: a passer-by may look and stop.
    locked: Arc<AtomicBool>,
}

impl Session {
    fn new(actor: &str, kind: SessionKind, role: Role) -> Self {
        Self {
            id: actor.into(),
            actor: actor.to_owned(),
            desk: DeskKind::Here,
            kind,
            role,
            about: None,
            is_agent: false,
            cause: None,
            review: None,
            only_stops: false,
            has_token: false,
            stop_shortcut: StopShortcut::NoDesktop,
            admin_until: Arc::default(),
            laid_down: Arc::default(),
            locked: Arc::default(),
        }
    }

    /// The same under the id and at the desk it signed in with.
    fn at(self, id: impl Into<SessionId>, desk: DeskKind) -> Self {
        Self { id: id.into(), desk, ..self }
    }

    /// The app's own window.
    #[must_use]
    pub fn app_window() -> Self {
        Self::new("desk", SessionKind::Person, Role::Operator).at(APP_WINDOW, DeskKind::AppWindow)
    }

    /// The same on a desktop that gave the app its global shortcut, or did not.
    #[must_use]
    pub fn with_stop_shortcut(self, stop_shortcut: StopShortcut) -> Self {
        Self { stop_shortcut, ..self }
    }

    /// The session of the person at the app's desk without its window: tray, global shortcut, the small window. It may
    /// look and stop, and nothing else.
    #[must_use]
    pub fn app_shell() -> Self {
        let shell = Self::new("desk", SessionKind::Person, Role::Viewer).at("app-shell", DeskKind::App);
        Self { only_stops: true, ..shell }
    }

    /// The bearer of the token that `quarterdeck-server` prints at start.
    #[must_use]
    pub fn bootstrap() -> Self {
        Self::new("admin", SessionKind::Person, Role::Admin).at("bootstrap", DeskKind::Server)
    }

    /// The bearer of a token that an Admin has made.
    #[must_use]
    pub fn of_token(token: &StoredToken) -> Self {
        let desk = match token.kind {
            SessionKind::Person => DeskKind::Browser,
            SessionKind::Machine => DeskKind::Program,
        };
        let session = Self::new(&token.label, token.kind, token.role).at(format!("token-{}", token.id), desk);
        Self { only_stops: token.only_stops, has_token: true, ..session }
    }

    /// A program that a person gave a token.
    #[must_use]
    pub fn program(actor: &str, role: Role) -> Self {
        Self::new(actor, SessionKind::Machine, role)
    }

    /// Another station that stopped a robot of ours.
    #[must_use]
    pub fn other_station(station: &StationId) -> Self {
        Self::new(station.as_str(), SessionKind::Machine, Role::Viewer)
    }

    /// Somebody whom a robot's gate does not know, who stopped a robot of ours.
    #[must_use]
    pub fn stranger() -> Self {
        Self::new("stranger", SessionKind::Machine, Role::Viewer)
    }

    /// The station itself, when the state of a robot asks for a stop.
    #[must_use]
    pub fn supervision() -> Self {
        Self::new("supervision", SessionKind::Machine, Role::Viewer)
    }

    /// A turn of the agent `id`.
    #[must_use]
    pub fn of_agent(id: &AgentId) -> Self {
        let about = Some(id.clone());
        Self { about, is_agent: true, ..Self::new("agent", SessionKind::Machine, Role::Operator) }
    }

    /// The same, for a call that comes from `cause`.
    pub fn caused_by(self, cause: Cause) -> Self {
        Self { cause: Some(Arc::new(cause)), ..self }
    }

    /// The origin of an agent's call.
    pub fn cause(&self) -> Option<&Cause> {
        self.cause.as_deref()
    }

    /// Of an agent's call: the conversation and the entry that holds it.
    pub fn entry(&self) -> Option<(&ConversationId, u64)> {
        self.cause()?.entry.as_ref().map(|(conversation, entry)| (conversation, *entry))
    }

    /// True if untrusted text may have led the model to make its call.
    pub fn is_tainted(&self) -> bool {
        self.cause().is_some_and(|cause| cause.tainted)
    }

    /// The same, for a write that waited for review by a person.
    pub fn letting_through(&self, review: Reviewed) -> Self {
        Self { review: Some(review), ..self.clone() }
    }

    /// The way in which its write was let through, if it waited for review by a person.
    pub fn review(&self) -> Option<Reviewed> {
        self.review
    }

    /// The same, calling about the agent `id`.
    pub fn about(&self, id: AgentId) -> Self {
        Self { about: Some(id), ..self.clone() }
    }

    /// The agent that it is, or that its calls are about; none if it has not said.
    pub fn agent(&self) -> Option<&AgentId> {
        self.about.as_ref()
    }

    /// Name for the record.
    #[must_use]
    pub fn actor(&self) -> &str {
        &self.actor
    }

    /// The id of the session, the same for its clones and its connections.
    #[must_use]
    pub fn id(&self) -> &SessionId {
        &self.id
    }

    /// The person at it, as one who has or wants control of a robot.
    pub fn person(&self) -> Person {
        Person { session: self.id.clone(), name: self.actor.clone(), desk: self.desk, exclusive: false }
    }

    /// The kind of its desk.
    pub fn desk(&self) -> DeskKind {
        self.desk
    }

    /// True for a session that may look and stop, and nothing else.
    pub fn only_stops(&self) -> bool {
        self.only_stops
    }

    /// True for the bearer of a token: its role is the token's, and nothing raises it.
    pub fn has_token(&self) -> bool {
        self.has_token
    }

    /// The state of its desktop's global key of STOP ALL.
    pub fn stop_shortcut(&self) -> StopShortcut {
        self.stop_shortcut
    }

    /// A person or a program.
    #[must_use]
    pub fn kind(&self) -> SessionKind {
        self.kind
    }

    /// The highest role at `now`. Ends *Act as Admin* when its time is over.
    #[must_use]
    pub fn role(&self, now: Instant) -> Role {
        if self.admin_until(now).is_none() {
            // Cleared for `recorded_role`, which is not given the time.
            self.admin_until.store(0, Ordering::Relaxed);
        }
        self.recorded_role()
    }

    /// The role it was last found to have, for the record of what it does.
    pub fn recorded_role(&self) -> Role {
        if self.is_locked() {
            return Role::Viewer;
        }
        if self.admin_until.load(Ordering::Relaxed) != 0 {
            return Role::Admin;
        }
        // The lesser of the two, so that a Viewer does not rise by it.
        if self.laid_down.load(Ordering::Relaxed) { self.role.min(Role::Operator) } else { self.role }
    }

    /// Locks its screen, or unlocks it. A session that was Admin no longer is.
    pub fn set_locked(&self, locked: bool) {
        // On unlocking too: the person who unlocks the screen need not be the one who became Admin.
        self.end_admin();
        self.locked.store(locked, Ordering::Relaxed);
    }

    /// True while its screen is locked.
    pub fn is_locked(&self) -> bool {
        self.locked.load(Ordering::Relaxed)
    }

    /// When *Act as Admin* ends, while it lasts.
    #[must_use]
    pub fn admin_until(&self, now: Instant) -> Option<Instant> {
        let until = Instant(self.admin_until.load(Ordering::Relaxed));
        (now < until).then_some(until)
    }

    /// Raises an operator to Admin for 15 minutes: a deliberate act of the person at the desk.
    pub fn act_as_admin(&self, now: Instant) -> Instant {
        let until = now.plus(ADMIN_FOR);
        self.admin_until.store(until.0, Ordering::Relaxed);
        until
    }

    /// Ends *Act as Admin*, and lays down the role of a session that signed in as one.
    pub fn end_admin(&self) {
        self.admin_until.store(0, Ordering::Relaxed);
        self.laid_down.store(true, Ordering::Relaxed);
    }

    /// True for an agent's own turn.
    #[must_use]
    pub fn is_agent(&self) -> bool {
        self.is_agent
    }

    /// True for alarms and events that it may see, by whose they are: a person sees all of them; an agent, or a program
    /// that names one, its own and the station's.
    pub fn sees(&self) -> impl Fn(Option<&AgentId>) -> bool {
        let only = self.agent().filter(|_| self.kind() == SessionKind::Machine).cloned();
        move |agent| only.is_none() || agent.is_none() || agent == only.as_ref()
    }

    /// The audience of operations that it belongs to.
    pub fn audience(&self) -> Audience {
        match (self.kind, self.is_agent) {
            (SessionKind::Person, _) => Audience::Ui,
            (SessionKind::Machine, true) => Audience::Agent,
            (SessionKind::Machine, false) => Audience::Mcp,
        }
    }

    /// The origin that the audit records for it.
    pub fn audit_origin(&self) -> AuditOrigin {
        match self.audience() {
            Audience::Ui => AuditOrigin::Person,
            Audience::Mcp => AuditOrigin::Program,
            Audience::Agent => AuditOrigin::Agent,
        }
    }

    /// The source of commands that this session sends directly.
    pub fn command_source(&self) -> Source {
        if self.is_agent { Source::Agent } else { Source::Person(self.actor.clone()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn acting_as_admin_ends_by_itself_and_is_shared_by_clones() {
        let (desk, now) = (Session::app_window(), Instant::from_millis(1_000));
        let until = desk.clone().act_as_admin(now);
        assert_eq!((desk.role(now), desk.role(until)), (Role::Admin, Role::Operator));
        desk.end_admin();
        assert_eq!(desk.role(now), Role::Operator);
    }

    #[test]
    fn an_admin_by_token_who_ends_that_is_an_operator_until_acting_as_admin_again() {
        let (admin, now) = (Session::bootstrap(), Instant::from_millis(1_000));
        assert_eq!(admin.role(now), Role::Admin);
        admin.clone().end_admin();
        assert_eq!((admin.role(now), admin.recorded_role()), (Role::Operator, Role::Operator));
        let until = admin.act_as_admin(now);
        assert_eq!((admin.role(now), admin.role(until)), (Role::Admin, Role::Operator));
    }

    #[test]
    fn u_1703_a_locked_session_only_looks_and_comes_back_without_the_rights_of_an_admin() {
        let (desk, now) = (Session::app_window(), Instant::from_millis(1_000));
        desk.act_as_admin(now);
        desk.clone().set_locked(true);
        assert_eq!((desk.role(now), desk.recorded_role()), (Role::Viewer, Role::Viewer));
        desk.set_locked(false);
        assert_eq!(desk.role(now), Role::Operator);
    }
}
