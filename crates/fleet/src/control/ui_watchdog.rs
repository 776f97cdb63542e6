//! Consequences of a frozen screen: whoever can act on it is told, and the agent only reads while nobody sees.

use std::sync::Arc;

use robot::Instant;
use world::alarm::{BuiltIn, Of};

use crate::code::FleetCode;
use crate::control::presence::{ScreenChange, ScreenState};
use crate::fleet::Fleet;
use runtime::audit::AuditEntry;
use runtime::error::OpError;
use runtime::wire::Fact;

/// Tells of screens that froze, or are frozen no more.
pub fn sweep(fleet: &Arc<Fleet>, now: Instant) {
    for ScreenChange { session, desk, now: shown } in fleet.presence.screen_changes(now) {
        let frozen = shown == ScreenState::Frozen;
        let (outcome, code, sentence) = match shown {
            ScreenState::Frozen => {
                ("frozen", "screen_frozen", format!("The screen of the {desk} is frozen: what it shows is old."))
            }
            ScreenState::Renders => {
                ("renders", "screen_renders", format!("The screen of the {desk} shows what happens again."))
            }
            ScreenState::Closed => ("closed", "screen_closed", format!("The frozen screen of the {desk} was closed.")),
        };
        tracing::warn!(%session, outcome, "screen");
        fleet
            .runtime
            .audit
            .note_done(AuditEntry::by_station("screen", outcome).about(format!("session={session} desk={desk}")));
        fleet.runtime.bus.event(code, sentence);
        let of = Of::station().item(session.as_str());
        let detail = frozen.then(|| format!("The screen of the {desk} is frozen."));
        fleet.observer.set_alarm(BuiltIn::UiFrozen, &of, detail);
        fleet.runtime.bus.fact(Fact::Screen { session, desk, frozen }, None);
    }
}

/// Refuses what the agent would do with an effect while nobody sees it.
pub fn check_seen(fleet: &Fleet) -> Result<(), OpError> {
    if !fleet.presence.nobody_sees() {
        return Ok(());
    }
    let sentence = "The operator's screen is frozen, so nobody would see this; you may read and stop.";
    Err(OpError::new(FleetCode::ScreenFrozen, sentence))
}
