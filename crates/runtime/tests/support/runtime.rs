//! A runtime on a real link and a real database, for the tests of the crates that run on it.

use std::path::Path;
use std::sync::Arc;

use bridge::{Link, LinkConfig};
use memory::StationDb;
use robot::StationId;
use runtime::Runtime;
use runtime::audit::{Audit, Marks};
use runtime::clock::{self, Clock};
use runtime::config::Layout;
use runtime::event_bus::EventBus;
use runtime::identity;
use runtime::judgements::recordings::Recordings;
use runtime::secrets::KeyStore;
use runtime::secrets::redaction::Redaction;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// The audit in `db`, with its mark in `folder`. Nothing is written before it is started.
pub(crate) async fn open_audit(db: &StationDb, folder: &Path) -> Audit {
    let marks = Marks::new(folder, KeyStore::Environment);
    Audit::open(db, StationId::new("desk-1").unwrap(), Clock::start(), marks).await.unwrap()
}

/// The services of a station in `folder`. Its audit is not started.
pub(crate) async fn runtime_in(folder: &Path, clock: Clock) -> Arc<Runtime> {
    let layout = Layout::create(folder).unwrap();
    let db = StationDb::open(&folder.join("station.db")).await.unwrap();
    let audit = Arc::new(open_audit(&db, folder).await);
    audit.check_end(&db).await.unwrap();
    let ended = CancellationToken::new();
    let listen = LinkConfig { listen: vec!["tcp/127.0.0.1:0".into()], ..LinkConfig::default() };
    let recordings = Recordings::start(layout.recordings.clone(), |_| {}).unwrap();
    Arc::new(Runtime {
        id: StationId::new("desk-1").unwrap(),
        key: identity::signing_key(KeyStore::Environment).await.unwrap(),
        clock,
        zone: clock::time_zone(),
        redaction: Redaction::from_environment(),
        key_store: KeyStore::Environment,
        bus: Arc::new(EventBus::new(clock, ended.clone())),
        link: Link::open(listen, Arc::new(move || clock.now())).await.unwrap(),
        recordings,
        layout,
        db,
        audit,
        tasks: TaskTracker::new(),
        ended,
        tokio: tokio::runtime::Handle::current(),
    })
}
