//! Sources that an Admin declared, fetched by the station into a sandbox: the cell itself reaches none of them.

use std::fs::OpenOptions;
use std::io::Read;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use llm::http::FetchLimits;
use robot::Trust;
use rustix::fs::OFlags;
use serde_json::{Map, Value, json};

use crate::code::AgentCode;
use crate::runner::AgentRunner;
use crate::tools::sandbox::Investigation;
use runtime::config::template_params::{below, fill, filled};
use runtime::config::{RECORDINGS, SandboxSettings, SourceSettings, WORLD_HISTORY};
use runtime::error::{ErrorKind, OpError, RuntimeCode};
use runtime::session::Session;
use runtime::wire::{Fetched, SourceRow};

/// Time limit of a fetch from an address, from looking up its name to the last byte.
const FETCH_TIME_MAX: Duration = Duration::from_secs(30);
/// Bytes of a file's beginning in the answer.
const HEAD_BYTES: usize = 512;
/// Bytes of a recording.
const RECORDING_BYTES_MAX: u64 = 16 * 1024 * 1024;
/// Characters of a file's name in the sandbox.
const NAME_CHARS_MAX: usize = 80;

/// The content of a source.
struct Found {
    /// Its name, for the file's name.
    name: String,
    bytes: Vec<u8>,
}

/// Everything that can be fetched.
pub(crate) fn rows(settings: &SandboxSettings) -> Vec<SourceRow> {
    let own = |name: &str, description: &str, param: &str| SourceRow {
        name: name.to_owned(),
        description: description.to_owned(),
        params: vec![param.to_owned()],
    };
    let mut rows = Vec::new();
    if settings.recordings {
        rows.push(own(RECORDINGS, "What verdicts were made from: <robot>/<file>.", "path"));
    }
    if settings.world_history {
        rows.push(own(WORLD_HISTORY, "What a key of the world was before.", "key"));
    }
    rows.extend(settings.sources.iter().map(|(name, source)| SourceRow {
        name: name.clone(),
        description: source.description.clone(),
        params: match source.files_under {
            Some(_) => vec!["path".to_owned()],
            None => source.holes.keys().cloned().collect(),
        },
    }));
    rows
}

/// Fetches `source` with `params` into the folder of an investigation.
pub(crate) async fn fetch(
    runner: &Arc<AgentRunner>,
    by: &Session,
    into: &Investigation,
    source: &str,
    params: &Map<String, Value>,
) -> Result<Fetched, OpError> {
    let settings = runner.tool_settings().sandbox.clone();
    let Found { name, bytes } = match (source, settings.sources.get(source)) {
        (RECORDINGS, None) if settings.recordings => {
            let root = &runner.runtime.layout.recordings;
            read_below(root, parameter(params, "path")?, None, RECORDING_BYTES_MAX)?
        }
        (WORLD_HISTORY, None) if settings.world_history => world_history(runner, by, params).await?,
        (_, Some(declared)) => of_declared(source, declared, params).await?,
        (_, None) => return Err(OpError::not_found(AgentCode::SourceNotFound, "source", source)),
    };
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(HEAD_BYTES)]).into_owned();
    let file = into.put(&file_name(&name), &bytes)?;
    Ok(Fetched { file, bytes: bytes.len() as u64, head, trust: Trust::Text })
}

async fn of_declared(name: &str, source: &SourceSettings, params: &Map<String, Value>) -> Result<Found, OpError> {
    if let Some(root) = &source.files_under {
        return read_below(root, parameter(params, "path")?, source.glob.as_deref(), source.bytes_max);
    }
    let template = source.url.as_deref().unwrap_or_default();
    let filled = filled(&source.holes, params)?;
    // A value must not add a part of a path or of a query to the address.
    let escaped = filled.iter().map(|(hole, value)| (hole.clone(), in_address(value))).collect();
    let address = fill(template, &escaped);
    let bytes_max = usize::try_from(source.bytes_max).unwrap_or(usize::MAX);
    let fetched = llm::http::fetch(&address, FetchLimits { bytes_max, time: FETCH_TIME_MAX }).await;
    let not_fetched = |error| OpError::new(AgentCode::NotFetched, format!("{name}: {error}."));
    Ok(Found { name: name.to_owned(), bytes: fetched.map_err(not_fetched)?.body })
}

/// The agent's own history, as the operation gives it.
async fn world_history(runner: &Arc<AgentRunner>, by: &Session, params: &Map<String, Value>) -> Result<Found, OpError> {
    let key = parameter(params, "key")?.to_owned();
    // Boxed: an operation asks for another.
    let answer = Box::pin(runner.operations.dispatch(by, WORLD_HISTORY, json!(params))).await?;
    Ok(Found { name: format!("{key}.json"), bytes: answer.to_string().into_bytes() })
}

fn parameter<'a>(params: &'a Map<String, Value>, name: &str) -> Result<&'a str, OpError> {
    let value = params.get(name).and_then(Value::as_str);
    value.ok_or_else(|| OpError::bad_input(RuntimeCode::BadArgument, name, format!("{name}: a text is missing.")))
}

/// A file below `root` that `glob` allows.
fn read_below(root: &Path, path: &str, glob: Option<&str>, bytes_max: u64) -> Result<Found, OpError> {
    let bad = |why: String| OpError::bad_input(RuntimeCode::BadArgument, "path", format!("path: {why}."));
    // Before the disk is looked at: a refusal must not tell which files exist.
    if let Some(glob) = glob.filter(|glob| !fits(glob.as_bytes(), path.as_bytes())) {
        return Err(bad(format!("it is not of {glob}")));
    }
    let file = below(root, path).map_err(bad)?;
    let failed =
        |error: std::io::Error| OpError::new(AgentCode::NotFetched, format!("{path} cannot be read: {error}."));
    // Neither through a link in the last place nor waiting for the other end of a pipe.
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed();
    let file = OpenOptions::new().read(true).custom_flags(flags).open(&file).map_err(failed)?;
    if !file.metadata().map_err(failed)?.is_file() {
        return Err(bad("it is no file".to_owned()));
    }
    let mut bytes = Vec::new();
    // One byte more than allowed tells a file that is too long from one that just fits.
    file.take(bytes_max + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > bytes_max {
        return Err(OpError::new(RuntimeCode::TooLarge, format!("{path} has more than {bytes_max} bytes."))
            .of_kind(ErrorKind::Conflict));
    }
    Ok(Found { name: path.replace('/', "-"), bytes })
}

/// Matches `path` with `glob`: `*` is any part of a name, `**` any part of a path, `?` one character.
fn fits(glob: &[u8], path: &[u8]) -> bool {
    match (glob, path) {
        ([], []) => true,
        ([b'*', b'*', rest @ ..], _) => (0..=path.len()).any(|at| fits(rest, &path[at..])),
        ([b'*', rest @ ..], _) => {
            let name = path.iter().position(|byte| *byte == b'/').unwrap_or(path.len());
            (0..=name).any(|at| fits(rest, &path[at..]))
        }
        ([b'?', glob @ ..], [byte, path @ ..]) => *byte != b'/' && fits(glob, path),
        ([expected, glob @ ..], [byte, path @ ..]) => expected == byte && fits(glob, path),
        ([], [_, ..]) | ([_, ..], []) => false,
    }
}

/// `value` as it may stand in an address.
fn in_address(value: &str) -> String {
    let byte = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    value.bytes().map(byte).collect()
}

/// A plain name made of whatever a source is called.
fn file_name(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_') { c } else { '_' };
    // Neither a hidden file nor `..`.
    let name: String = name.trim_start_matches('.').chars().map(plain).take(NAME_CHARS_MAX).collect();
    if name.is_empty() { "fetched".to_owned() } else { name }
}
