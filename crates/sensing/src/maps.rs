//! Maps of robots. A map is subscribed to while somebody looks; its newest message is kept as it came and is made a
//! picture when it is asked for.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bridge::{Grid, HeldMessage};
use robot::{Instant, MapFault, MapSource, RobotId};

use crate::Sensing;
use crate::newest::Newest;
use crate::watched::Watched;
use runtime::wire::{MapGrid, RobotMap, RobotMapSeen};

/// Pictures of one answer stay together below this, bytes, unless one alone has more; others come with the next answer.
const ANSWER_BYTES_MAX: usize = 2 * 1024 * 1024;

/// The maps that somebody looks at.
pub(crate) type Maps = Watched<RobotId, MapSource, View>;

/// The messages of one map.
pub(crate) type View = Newest<Arc<Map>, MapFault>;

/// A map that can be shown.
pub(crate) struct Map {
    received: Instant,
    grid: Grid,
    png_base64: String,
}

impl Map {
    fn of(message: &HeldMessage) -> Result<Arc<Self>, MapFault> {
        let grid = message.grid()?;
        let png = grid.png().map_err(|_| MapFault::TooLarge)?;
        Ok(Arc::new(Self { received: message.received().station, grid, png_base64: STANDARD.encode(png) }))
    }
}

impl Sensing {
    /// The maps of all robots that have one, which are watched from now on; pictures of those alone that are newer
    /// than what the caller has seen.
    pub(crate) async fn robot_maps(&self, seen: &[RobotMapSeen]) -> Vec<RobotMap> {
        let mut views = Vec::new();
        for (robot, declared) in self.sources.maps() {
            match self.watch_map(&robot, &declared).await {
                Ok(view) => views.push((robot, view)),
                Err(error) => tracing::warn!(%error, %robot, "a map is not subscribed to"),
            }
        }
        // Away from the threads of the runtime: a large map takes long to become a picture.
        let read = move || views.into_iter().map(|(robot, view)| (robot, view.look(Map::of))).collect::<Vec<_>>();
        let read = tokio::task::spawn_blocking(read).await;
        let read = read.unwrap_or_else(|panicked| std::panic::resume_unwind(panicked.into_panic()));
        let mut room = ANSWER_BYTES_MAX;
        let rows = read.into_iter().map(|(robot, (map, fault))| {
            let Some(map) = map else {
                return RobotMap { robot, observed_mono_ms: None, fault, grid: None, png_base64: None };
            };
            let received_ms = map.received.mono_ms();
            let has = seen.iter().any(|seen| seen.robot == robot && seen.observed_mono_ms == received_ms);
            let fits = map.png_base64.len() <= room || room == ANSWER_BYTES_MAX;
            let picture = (!has && fits).then(|| map.png_base64.clone());
            room = room.saturating_sub(picture.as_ref().map_or(0, String::len));
            RobotMap {
                robot,
                observed_mono_ms: Some(received_ms),
                fault,
                png_base64: picture,
                grid: Some(place_of(&map.grid)),
            }
        });
        rows.collect()
    }

    async fn watch_map(&self, robot: &RobotId, declared: &MapSource) -> Result<Arc<View>, bridge::BridgeError> {
        let now = || self.runtime.clock.now().station;
        let link = &self.runtime.link;
        let subscribe =
            async |view: Arc<View>| link.subscribe_held(&declared.key, move |message| view.take(message)).await;
        self.maps.watch(robot, declared, now, View::default, subscribe).await
    }
}

fn place_of(grid: &Grid) -> MapGrid {
    let Grid { frame, resolution_m, width, height, origin_m, yaw_rad, .. } = grid;
    MapGrid {
        frame: frame.clone(),
        resolution_m: *resolution_m,
        width_cells: *width,
        height_cells: *height,
        origin_m: *origin_m,
        yaw_rad: *yaw_rad,
    }
}
