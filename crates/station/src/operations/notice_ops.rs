//! The notice that says what STOP ALL is not, and its acceptance.

use std::sync::Arc;

use memory::AcceptedNotice;
use robot::{Effect, Role, Trust};

use super::Operation;
use crate::Station;
use runtime::error::OpError;
use runtime::operation::{Nothing, Terms, UI, row};
use runtime::session::Session;
use runtime::wire::NoticeState;

pub(super) fn rows() -> Vec<Operation> {
    use Effect::{Read, Write};
    use Role::{Operator, Viewer};
    vec![
        row(
            "notice_state",
            Terms(Viewer, Read, UI, Trust::Text),
            "Acceptance of the notice about the limits of STOP ALL.",
            notice_state,
        ),
        row(
            "accept_notice",
            Terms(Operator, Write, UI, Trust::Text),
            "Accepts the notice about the limits of STOP ALL. The first acceptance counts.",
            accept_notice,
        ),
    ]
}

async fn notice_state(station: Arc<Station>, _: Session, _: Nothing) -> Result<NoticeState, OpError> {
    Ok(state(station.runtime.db.accepted_notice().await?))
}

async fn accept_notice(station: Arc<Station>, by: Session, _: Nothing) -> Result<NoticeState, OpError> {
    let db = &station.runtime.db;
    if let Some(accepted) = db.accepted_notice().await? {
        return Ok(state(Some(accepted)));
    }
    let at_ms = station.runtime.clock.now().wall_ms;
    let accepted = AcceptedNotice { by: by.actor().to_owned(), at_ms };
    db.accept_notice(&accepted).await?;
    Ok(state(Some(accepted)))
}

fn state(accepted: Option<AcceptedNotice>) -> NoticeState {
    let (accepted_by, accepted_at_ms) = accepted.map(|first| (first.by, first.at_ms)).unzip();
    NoticeState { accepted_by, accepted_at_ms }
}
