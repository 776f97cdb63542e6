//! Keeps one server connected: starts it, asks for its tools, tells what changed, and starts it again when it dies.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use futures::future::OptionFuture;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::{Link, Mcp, OfferedTool, ServerNews, ToolServer, Transport};
use crate::tools::sandbox::{Cell, Prepared, Purpose, Watched, used_up};
use runtime::audit::AuditEntry;
use runtime::config::ServerSettings;
use runtime::wire::{ServerLoss, Tag};

/// Time limit for a server to come up and list its tools.
const READY_WAIT: Duration = Duration::from_secs(20);
/// Between two starts of a server that dies; doubled each time.
const AGAIN_MIN: Duration = Duration::from_secs(1);
/// The longest between two starts.
const AGAIN_MAX: Duration = Duration::from_secs(60);
/// Tools of one server; the rest is not looked at.
const TOOLS_MAX: usize = 128;
/// News that may wait; more of the same says nothing new.
const NEWS_MAX: usize = 8;

/// Keeps the server called `id` until `ended`.
pub(super) fn start(mcp: &Arc<Mcp>, id: String, settings: ServerSettings, ended: CancellationToken) {
    let owner = Arc::clone(mcp);
    mcp.runtime.spawn(async move {
        let mut again = AGAIN_MIN;
        loop {
            let began = owner.runtime.clock.now().station;
            let reason = tokio::select! {
                () = ended.cancelled() => return,
                reason = serve(&owner, &id, &settings) => reason,
            };
            tracing::warn!(server = id, %reason, "an external MCP server is gone");
            set_link(&owner, &id, Link::Lost(reason));
            if owner.runtime.clock.now().station.since(began) > AGAIN_MAX {
                // It held for a while, so that this is a loss of its own.
                again = AGAIN_MIN;
            }
            tokio::select! {
                () = ended.cancelled() => return,
                () = tokio::time::sleep(again) => {}
            }
            again = (again * 2).min(AGAIN_MAX);
        }
    });
}

/// Serves calls to the server until it is gone; says why it is.
async fn serve(mcp: &Arc<Mcp>, id: &str, settings: &ServerSettings) -> ServerLoss {
    let (transport, memory_bytes) = match transport_of(mcp, settings).await {
        Ok(transport) => transport,
        Err(reason) => return reason,
    };
    let (news, mut said) = mpsc::channel(NEWS_MAX);
    let connected = tokio::time::timeout(READY_WAIT, mcp.host.connect(transport, news)).await;
    let server = match connected {
        Ok(Ok(server)) => server,
        Ok(Err(message)) => return ServerLoss::Said { message },
        Err(_) => return ServerLoss::NotUp { secs: ready_secs() },
    };
    // The kernel's limits bind each of its processes, and not all of them together.
    let watched = server.process().map(|process| Watched { process, memory_bytes, folder: None });
    let using_up = OptionFuture::from(watched.map(used_up));
    let serving = async {
        loop {
            // Its tools are compared before the first call can reach it.
            if let Err(reason) = look(mcp, id, &server).await {
                return reason;
            }
            set_link(mcp, id, Link::Ready(Arc::clone(&server)));
            match said.recv().await {
                Some(ServerNews::ToolsChanged) => {}
                Some(ServerNews::Gone) | None => return ServerLoss::Ended,
            }
        }
    };
    tokio::select! {
        reason = serving => reason,
        Some(message) = using_up => ServerLoss::UsedUp { message },
    }
}

fn ready_secs() -> u32 {
    u32::try_from(READY_WAIT.as_secs()).unwrap_or(u32::MAX)
}

/// The way to the server, and the memory that its processes may use together, bytes.
async fn transport_of(mcp: &Mcp, settings: &ServerSettings) -> Result<(Transport, u64), ServerLoss> {
    let Some((program, arguments)) = settings.command.split_first() else {
        let url = settings.url.clone().ok_or(ServerLoss::NoWay);
        return url.map(|url| (Transport::Address(url), u64::MAX));
    };
    let readable: Vec<PathBuf> = settings.program_folders.clone();
    // The network of this machine cannot be given in part: its desktop and its session bus listen there as well.
    if settings.network {
        return Err(ServerLoss::Network);
    }
    let cell = Cell { purpose: Purpose::Server, work: None, readable: &readable, may_grow: true };
    let prepared = mcp.sandbox.prepare(&cell, program, arguments).await;
    let Prepared { command, filter, memory_bytes, .. } =
        prepared.map_err(|error| ServerLoss::NotStarted { message: error.message })?;
    Ok((Transport::Program { command, filter }, memory_bytes))
}

/// Asks for the tools, and tells of those that are not what was let.
async fn look(mcp: &Mcp, id: &str, server: &Arc<dyn ToolServer>) -> Result<(), ServerLoss> {
    let listed = tokio::time::timeout(READY_WAIT, server.list(TOOLS_MAX)).await;
    let offered = listed.map_err(|_| ServerLoss::NotListed { secs: ready_secs() })?;
    let offered = offered.map_err(|message| ServerLoss::Said { message })?;
    for name in note_offered(mcp, id, offered) {
        let sentence = format!("The tool {name} of {id} is not what was let. It is off until an Admin lets it again.");
        mcp.runtime
            .audit
            .note_done(AuditEntry::by_station("mcp_tool", "changed").about(format!("server={id} tool={name}")));
        mcp.runtime.bus.event("tool_changed", sentence);
    }
    mcp.runtime.bus.changed(Tag::Tools);
    Ok(())
}

/// Keeps what was offered, and gives the names of pinned tools that stopped being what was let.
fn note_offered(mcp: &Mcp, id: &str, offered: Vec<OfferedTool>) -> Vec<String> {
    let mut servers = mcp.servers();
    let Some(server) = servers.get_mut(id) else { return Vec::new() };
    let usable = |server: &super::Server| -> Vec<String> {
        let pins = server.settings.pins.iter().filter(|(name, pin)| server.usable(name, pin).is_some());
        pins.map(|(name, _)| name.clone()).collect()
    };
    // Before and after under one lock: a pin that an Admin sets meanwhile is no change of the server's.
    let before = usable(server);
    server.offered = Some(offered);
    let after = usable(server);
    before.into_iter().filter(|name| !after.contains(name)).collect()
}

fn set_link(mcp: &Mcp, id: &str, link: Link) {
    if let Some(server) = mcp.servers().get_mut(id) {
        server.link = link;
    }
    mcp.runtime.bus.changed(Tag::Tools);
}
