//! The site plan: reading it and saving another. It binds nothing.

use std::sync::Arc;

use memory::StoredSitePlan;
use robot::{Effect, FrameId, IdError, Role, SharedCode, Trust};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use world::SitePlan;

use super::Operation;
use crate::code::StationCode;
use crate::{Station, simulated::sim_site_plan};
use runtime::error::{ErrorText, OpError};
use runtime::operation::{ALL, Terms, UI, row};
use runtime::session::Session;
use runtime::wire::{Mode, SitePlanOrigin, SitePlanRow, SitePlanSaved, Tag};

/// The frame of a site that has no plan.
const USUAL_FRAME: &str = "map";

pub(super) fn rows() -> Vec<Operation> {
    use Effect::{Read, Write};
    use Role::{Operator, Viewer};
    vec![
        row(
            "get_site_plan",
            Terms(Viewer, Read, ALL, Trust::Text),
            "The site plan: walls and named areas. A picture: it stops no robot.",
            get_site_plan,
        )
        .example(json!({"walls": false})),
        row(
            "save_site_plan",
            Terms(Operator, Write, UI, Trust::Text),
            "Saves another site plan in place of the one that was seen. It binds no robot.",
            save_site_plan,
        )
        .example(json!({
            "base_version": 3,
            "plan": {
                "frame": "map",
                "walls": [[[0.0, 0.0], [8.0, 0.0], [8.0, 6.0]]],
                "areas": [{"name": "loading dock", "corners": [[5.0, 3.0], [8.0, 3.0], [8.0, 6.0], [5.0, 6.0]]}],
            },
        })),
    ]
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct GetSitePlan {
    /// False leaves the walls out, of which there may be thousands.
    walls: Option<bool>,
}

async fn get_site_plan(station: Arc<Station>, _: Session, input: GetSitePlan) -> Result<SitePlanRow, OpError> {
    let mut row = site_plan(&station).await?;
    if input.walls == Some(false) {
        row.plan.walls.clear();
    }
    Ok(row)
}

/// The plan that people see: the saved one, else that of the simulator, else an empty one.
pub(crate) async fn site_plan(station: &Station) -> Result<SitePlanRow, OpError> {
    let (version, stored) = station.runtime.db.site_plan().await?;
    match stored {
        Some(StoredSitePlan { by, at_ms, plan, .. }) => Ok(SitePlanRow {
            version,
            origin: SitePlanOrigin::Saved,
            saved_by: Some(by),
            saved_at_ms: Some(at_ms),
            plan,
        }),
        // The simulator's plan stands until the first one is saved; a plan that was removed stays removed.
        None if version == 0 && station.fleet.mode() == Mode::Sim => {
            let plan = sim_site_plan::plan().map_err(|error| no_frame(&error))?;
            Ok(without_author(SitePlanOrigin::Simulator, version, plan))
        }
        None => {
            let frame = FrameId::new(USUAL_FRAME).map_err(|error| no_frame(&error))?;
            Ok(without_author(SitePlanOrigin::None, version, SitePlan::empty(frame)))
        }
    }
}

fn no_frame(error: &IdError) -> OpError {
    OpError::bad_input(SharedCode::InvalidInput, "", error.to_string())
}

const fn without_author(origin: SitePlanOrigin, version: u64, plan: SitePlan) -> SitePlanRow {
    SitePlanRow { version, origin, saved_by: None, saved_at_ms: None, plan }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SaveSitePlan {
    /// The version that was seen; 0 if none was ever saved.
    base_version: u64,
    /// The whole plan; without walls and areas it shows nothing.
    plan: SitePlan,
}

async fn save_site_plan(station: Arc<Station>, by: Session, input: SaveSitePlan) -> Result<SitePlanSaved, OpError> {
    let SaveSitePlan { base_version, plan } = input;
    plan.check().map_err(|error| {
        // It repeats nothing but numbers and the names of fields.
        OpError::bad_input(StationCode::BadSitePlan, &error.path, ErrorText::own(error.message.clone()))
    })?;
    let version = base_version.saturating_add(1);
    let at_ms = station.runtime.clock.now().wall_ms;
    let next = StoredSitePlan { version, by: by.actor().to_owned(), at_ms, plan };
    // Saved only over the version that was seen: of two people who draw at once, one is told.
    if !station.runtime.db.save_site_plan(&next).await? {
        let (version, stored) = station.runtime.db.site_plan().await?;
        let who = stored.map_or_else(|| "somebody else".to_owned(), |stored| stored.by);
        let message = format!("The site plan was saved by {who} meanwhile; yours is not saved.");
        return Err(OpError::new(StationCode::PlanChanged, message).with(json!({ "version": version })));
    }
    station.runtime.bus.changed(Tag::SitePlan);
    Ok(SitePlanSaved { version })
}
