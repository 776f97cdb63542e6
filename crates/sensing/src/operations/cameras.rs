//! Operations on cameras.

use std::sync::Arc;

use robot::{CameraId, Effect, RobotId, Role, Trust};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::Sensing;
use runtime::error::OpError;
use runtime::operation::{Operation, Terms, UI, row};
use runtime::session::Session;
use runtime::wire::CameraFrame;

/// Their rows.
pub fn rows() -> Vec<Operation<Arc<Sensing>>> {
    let terms = Terms(Role::Viewer, Effect::Read, UI, Trust::Typed);
    vec![
        row("camera_frame", terms, "The newest picture of a robot's camera, or why there is none.", camera_frame)
            .answers_picture()
            .example(json!({"robot": "arm-1", "camera": "cell"})),
    ]
}

/// Input of `camera_frame`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct AskedFrame {
    robot: RobotId,
    camera: CameraId,
    /// `observed_mono_ms` of the picture that the caller has; only a newer one is sent.
    #[serde(default)]
    after_mono_ms: Option<u64>,
}

async fn camera_frame(sensing: Arc<Sensing>, _: Session, input: AskedFrame) -> Result<CameraFrame, OpError> {
    sensing.camera_frame(input.robot, input.camera, input.after_mono_ms).await
}
