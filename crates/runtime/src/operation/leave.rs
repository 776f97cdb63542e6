//! Leave to act: room in the audit, taken before a handler runs. A row cannot be run without it.

use std::borrow::Cow;
use std::sync::Arc;

use robot::Effect;
use serde_json::{Value, json};

use super::Row;
use crate::audit::{Audit, AuditEntry, OnRecord, Room};
use crate::error::OpError;

/// Field of an act's answer that is there while its record waits for the disk.
const RECORD: &str = "record";
/// The value of that field.
const PENDING: &str = "pending";

/// The proof that an operation may run as far as the audit is concerned.
pub struct Leave(Kind);

enum Kind {
    /// It changes nothing.
    Reads,
    /// It only ends motion, or is on record by the gate: neither is refused for the audit, nor waits for it.
    NeverWaits,
    Held(Room),
}

impl Leave {
    /// Leave to run `row` now. Refused before anything has happened if its record would find no room.
    pub fn take(audit: &Arc<Audit>, row: &Row) -> Result<Self, OpError> {
        if row.effect == Effect::Read {
            return Ok(Self(Kind::Reads));
        }
        if row.urgent || row.recorded_by_gate {
            return Ok(Self(Kind::NeverWaits));
        }
        Ok(Self(Kind::Held(audit.reserve()?)))
    }

    /// Puts on record how the act has ended, and waits a moment for the disk. The act stands whatever the disk does.
    pub async fn record(self, audit: &Audit, ended: AuditEntry) -> OnRecord {
        match self.0 {
            Kind::Reads => OnRecord::Saved,
            Kind::NeverWaits => {
                // An operation that ends motion waits for no disk, so its answer says nothing about one.
                audit.note_done(ended);
                OnRecord::Saved
            }
            Kind::Held(room) => room.note(ended).within_wait().await,
        }
    }
}

/// An answer without what the station adds to it about its record.
pub(super) fn without_record(answer: &Value) -> Cow<'_, Value> {
    if answer.get(RECORD).is_none_or(|record| record != PENDING) {
        return Cow::Borrowed(answer);
    }
    let mut own = answer.clone();
    if let Some(fields) = own.as_object_mut() {
        fields.remove(RECORD);
    }
    Cow::Owned(own)
}

/// The answer of an act, which says so if its record is still on the way to the disk.
pub fn told(answer: Result<Value, OpError>, record: OnRecord) -> Result<Value, OpError> {
    if record == OnRecord::Saved {
        return answer;
    }
    let pending = |fields: &mut Value| {
        if let Some(fields) = fields.as_object_mut() {
            fields.insert(RECORD.to_owned(), json!(PENDING));
        }
    };
    match answer {
        Ok(mut value) => {
            pending(&mut value);
            Ok(value)
        }
        Err(mut error) => {
            pending(&mut error.details);
            Err(error)
        }
    }
}
