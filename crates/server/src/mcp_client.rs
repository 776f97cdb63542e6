//! Speaks the Model Context Protocol with external MCP servers, as the station asks for it. Whatever a server sends is
//! bounded here; whether it may be called is the station's to say.

use std::process::Stdio;
use std::sync::Arc;

use api::{OfferedTool, ServerAnswer, ServerFuture, ServerNews, ToolServer, ToolServers, Transport};
use rmcp::handler::client::ClientHandler;
use rmcp::model::{CallToolRequestParams, CallToolResult, ContentBlock, PaginatedRequestParams, Tool};
use rmcp::service::{NotificationContext, RoleClient, RunningService, ServiceExt};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use serde_json::{Map, Value};
use tokio::process::{Child, Command};
use tokio::sync::mpsc;

/// Bytes of one message.
const MESSAGE_BYTES_MAX: usize = 1024 * 1024;
/// Bytes of an answer's text.
const TEXT_BYTES_MAX: usize = 512 * 1024;
/// Pages of a list of tools.
const PAGES_MAX: usize = 32;

/// The protocol's client.
#[derive(Debug, Default)]
pub struct McpClient;

/// Tells the station of changes in the tools of a server between its answers.
struct Listener(mpsc::Sender<ServerNews>);

/// A server that answers.
struct Connected {
    service: Arc<RunningService<RoleClient, Listener>>,
    /// Its program; killed when this is dropped.
    child: Option<Child>,
}

impl ToolServers for McpClient {
    fn connect(&self, transport: Transport, news: mpsc::Sender<ServerNews>) -> ServerFuture<Arc<dyn ToolServer>> {
        Box::pin(async move {
            let (service, child) = match transport {
                Transport::Program { command, filter } => {
                    let mut command = Command::from(command);
                    // What a server prints on standard error would stand in the station's log, in its own words.
                    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).kill_on_drop(true);
                    let mut child = command.spawn().map_err(|error| format!("its program does not start: {error}"))?;
                    drop(filter);
                    let (stdin, stdout) = child.stdin.take().zip(child.stdout.take()).ok_or("it has no pipes")?;
                    let transport = AsyncRwTransport::new(stdout, stdin).with_max_line_length(MESSAGE_BYTES_MAX);
                    (Listener(news.clone()).serve(transport).await, Some(child))
                }
                Transport::Address(address) => {
                    let config =
                        StreamableHttpClientTransportConfig::with_uri(address).max_sse_event_size(MESSAGE_BYTES_MAX);
                    (Listener(news.clone()).serve(StreamableHttpClientTransport::from_config(config)).await, None)
                }
            };
            let service = Arc::new(service.map_err(|error| format!("it does not speak the protocol: {error}"))?);
            tell_when_gone(&service, news);
            Ok(Arc::new(Connected { service, child }) as Arc<dyn ToolServer>)
        })
    }
}

impl ClientHandler for Listener {
    async fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) {
        // A full queue holds the same news already.
        let _ = self.0.try_send(ServerNews::ToolsChanged);
    }
}

impl ToolServer for Connected {
    fn process(&self) -> Option<u32> {
        self.child.as_ref().and_then(Child::id)
    }

    fn list(&self, tools_max: usize) -> ServerFuture<Vec<OfferedTool>> {
        let service = Arc::clone(&self.service);
        Box::pin(async move {
            let (mut tools, mut cursor) = (Vec::new(), None);
            for _ in 0..PAGES_MAX {
                let mut params = PaginatedRequestParams::default();
                params.cursor = cursor;
                let page = service.list_tools(Some(params)).await.map_err(|error| error.to_string())?;
                tools.extend(page.tools.into_iter().map(offered));
                cursor = page.next_cursor;
                if cursor.is_none() || tools.len() >= tools_max {
                    break;
                }
            }
            tools.truncate(tools_max);
            Ok(tools)
        })
    }

    fn call(&self, tool: String, arguments: Map<String, Value>) -> ServerFuture<ServerAnswer> {
        let service = Arc::clone(&self.service);
        Box::pin(async move {
            let params = CallToolRequestParams::new(tool).with_arguments(arguments);
            service.call_tool(params).await.map(answer).map_err(|error| error.to_string())
        })
    }
}

/// Tells the station when the connection is over. Holds nothing that would keep it open.
#[expect(clippy::disallowed_methods, reason = "the task ends with the connection")]
fn tell_when_gone(service: &Arc<RunningService<RoleClient, Listener>>, news: mpsc::Sender<ServerNews>) {
    let service = Arc::downgrade(service);
    tokio::spawn(async move {
        let mut looks = tokio::time::interval(LOOK_EVERY);
        loop {
            looks.tick().await;
            match service.upgrade() {
                Some(service) if service.is_transport_closed() => break,
                Some(_) => {}
                None => return,
            }
        }
        // The station may have let go of it meanwhile.
        let _ = news.send(ServerNews::Gone).await;
    });
}

/// The time between two looks whether a connection is over.
const LOOK_EVERY: std::time::Duration = std::time::Duration::from_millis(200);

fn offered(tool: Tool) -> OfferedTool {
    OfferedTool {
        name: tool.name.into_owned(),
        description: tool.description.unwrap_or_default().into_owned(),
        input_schema: Value::Object(Arc::unwrap_or_clone(tool.input_schema)),
        annotations: tool.annotations.and_then(|hints| serde_json::to_value(hints).ok()).unwrap_or_default(),
    }
}

fn answer(result: CallToolResult) -> ServerAnswer {
    let mut text = String::new();
    for block in &result.content {
        let part = if let ContentBlock::Text(part) = block {
            part.text.clone()
        } else {
            format!("[{} left out]", kind(block))
        };
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&part);
        if text.len() > TEXT_BYTES_MAX {
            // Cut between two characters: `truncate` panics within one.
            text.truncate(text.floor_char_boundary(TEXT_BYTES_MAX));
            text.push_str("\n[the rest is left out]");
            break;
        }
    }
    ServerAnswer { text, structured: result.structured_content, is_error: result.is_error.unwrap_or(false) }
}

/// The type of a block that holds no text.
fn kind(block: &ContentBlock) -> String {
    let kind = serde_json::to_value(block).ok().and_then(|block| block["type"].as_str().map(str::to_owned));
    kind.unwrap_or_else(|| "something".to_owned())
}
