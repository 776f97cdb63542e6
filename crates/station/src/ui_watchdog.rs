//! Consequences of a frozen screen: whoever can act on it is told, and the agent only reads while nobody sees.

use std::sync::Arc;

use agent::Mode;
use robot::Instant;
use world::alarm::{BuiltIn, Of};

use crate::code::StationCode;
use crate::presence::{ScreenChange, ScreenState};
use crate::station::Station;
use runtime::audit::AuditEntry;
use runtime::error::OpError;
use runtime::wire::Fact;

/// Tells of screens that froze, or are frozen no more.
pub(crate) fn sweep(station: &Arc<Station>, now: Instant) {
    for ScreenChange { session, desk, now: shown } in station.presence.screen_changes(now) {
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
        tracing::warn!(session, outcome, "screen");
        station
            .runtime
            .audit
            .note_done(AuditEntry::by_station("screen", outcome).about(format!("session={session} desk={desk}")));
        station.runtime.bus.event(code, sentence);
        let of = Of::station().item(&session);
        station.alarms.set(BuiltIn::UiFrozen, &of, frozen, || format!("The screen of the {desk} is frozen."));
        station.runtime.bus.fact(Fact::Screen { session, desk: desk.to_owned(), frozen }, None);
    }
}

/// Mode of the agent now, if it was given `mode`.
pub(crate) fn agent_mode(station: &Station, mode: Mode) -> Mode {
    if station.presence.nobody_sees() { Mode::Watch } else { mode }
}

/// Refuses what the agent would do with an effect while nobody sees it.
pub(crate) fn check_seen(station: &Station) -> Result<(), OpError> {
    if !station.presence.nobody_sees() {
        return Ok(());
    }
    let sentence = "The operator's screen is frozen, so nobody would see this; you may read and stop.";
    Err(OpError::new(StationCode::ScreenFrozen, sentence))
}
