//! Answers that a host may send as a picture: the facts are asked for like every answer, with the same checks, and the
//! picture that they tell of takes their place.

use std::sync::Arc;

use runtime::error::OpError;
use runtime::session::Session;
use runtime::wire::CameraFrame;
use serde_json::Value;

use super::{dispatch, row_of};
use crate::station::Station;

/// Answer of an operation to a host that can send pictures.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// A JSON value.
    Json(Value),
    /// A JPEG file. Its first segment is a comment with the facts about it, as JSON.
    Jpeg(Vec<u8>),
}

/// True if the operation called `name` may be answered by a picture.
#[must_use]
pub fn answers_picture(name: &str) -> bool {
    row_of(name).is_some_and(|row| row.answers_picture)
}

/// Calls an operation that may be answered by a picture.
pub async fn dispatch_picture(
    station: &Arc<Station>,
    session: &Session,
    name: &str,
    input: Value,
) -> Result<Answer, OpError> {
    let facts = dispatch(station, session, name, input).await?;
    let jpeg = if answers_picture(name) { jpeg(station, &facts) } else { None };
    Ok(jpeg.map_or(Answer::Json(facts), Answer::Jpeg))
}

/// The picture that `facts` tell of, with the facts about it; `None` if the caller has it.
fn jpeg(station: &Station, facts: &Value) -> Option<Vec<u8>> {
    let frame = serde_json::from_value::<CameraFrame>(facts.clone()).ok().filter(|frame| frame.newer)?;
    let picture = station.sensing.picture_of(&frame)?;
    // A newer picture may have arrived since the facts were read; they are made to fit the one that is sent.
    let shown = CameraFrame {
        observed_mono_ms: Some(picture.received.mono_ms()),
        width_px: Some(picture.jpeg.width_px),
        height_px: Some(picture.jpeg.height_px),
        ..frame
    };
    Some(picture.jpeg.with_comment(&serde_json::to_string(&shown).ok()?))
}
