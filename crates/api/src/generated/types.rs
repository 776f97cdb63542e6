//! The TypeScript form of what crosses a host's wire beside the outputs of operations.

use robot::RawCommand;
use runtime::wire::{Frame, RejectReason};
use ts_rs::{Config, ExportError, TS};
use world::alarm::AlarmPreset;

use crate::{DeskAct, DeskStatus, ErrorBody};

/// Writes one file a type, each with the types it is made of: frames and refusals, and the inputs that the window builds
/// piece by piece.
pub(super) fn export(bindings: &Config) -> Result<(), ExportError> {
    Frame::export_all(bindings)?;
    ErrorBody::export_all(bindings)?;
    DeskAct::export_all(bindings)?;
    DeskStatus::export_all(bindings)?;
    RawCommand::export_all(bindings)?;
    RejectReason::export_all(bindings)?;
    AlarmPreset::export_all(bindings)?;
    world::AlertRule::export_all(bindings)?;
    world::ProviderConfig::export_all(bindings)
}
