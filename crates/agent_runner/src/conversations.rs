//! The conversations of one agent: those at the desk, those of rooms, and the one in which it works by itself. Each is
//! a transcript file; few are open at a time.

mod export;
mod head;
mod search;

pub(crate) use export::{ExportForm, exported};

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard};

use agent::{EntryLine, Transcript};
use memory::{AgentDb, MemoryError, SessionRecord, StateKey, TranscriptFile};
use robot::{ConversationId, RoomId};

use head::Head;
use runtime::error::OpError;
use runtime::lock::lock;
use runtime::wire::{Channel, SessionRow};

use crate::code::AgentCode;

/// The conversation at the desk that there always is.
pub(crate) const DESK_SESSION: &str = "desk";
/// The conversation of turns that nobody at the desk started.
pub(crate) const AUTONOMY_SESSION: &str = "autonomy";
/// Prefix of the names of further conversations at the desk.
const CHAT_PREFIX: &str = "chat-";
/// Prefix of the names of conversations in rooms.
const ROOM_PREFIX: &str = "room-";
/// Conversations of one agent; several a day for a year.
const SESSIONS_MAX: usize = 2_000;
/// Conversations whose entries are held in memory while nobody uses them.
const OPEN_MAX: usize = 8;

/// One conversation: its file, and what was said.
pub(crate) struct Conversation {
    pub session: ConversationId,
    file: tokio::sync::Mutex<TranscriptFile>,
    pub transcript: Mutex<Transcript>,
    lines: Mutex<Vec<EntryLine>>,
}

/// The right to begin conversations anew: the turn that runs has it, or whoever must have none run.
#[derive(Debug, Default)]
pub(crate) struct TurnSlot(());

/// The model that answered in a conversation, and its provider.
pub(crate) struct Answerer {
    /// Absent for the command interpreter.
    pub provider: Option<String>,
    pub model: String,
}

/// A transcript file, open for appending, with its transcript and its lines.
type Opened = (TranscriptFile, Transcript, Vec<EntryLine>);

/// All conversations of one agent.
pub(crate) struct Conversations {
    folder: PathBuf,
    heads: Mutex<BTreeMap<ConversationId, Head>>,
    /// Those that are open, the one used last at the end.
    open: tokio::sync::Mutex<VecDeque<Arc<Conversation>>>,
    /// Rows of the database about them, by name.
    records: Mutex<BTreeMap<ConversationId, SessionRecord>>,
    /// Those that a person keeps at the top.
    pinned: Mutex<BTreeSet<ConversationId>>,
    /// Those in which a call of an earlier run has no result.
    unfinished: Mutex<BTreeSet<ConversationId>>,
}

impl Conversation {
    /// Its entries as lines.
    pub fn lines(&self) -> MutexGuard<'_, Vec<EntryLine>> {
        lock(&self.lines)
    }

    /// The id that its next entry gets.
    pub fn next_id(&self) -> u64 {
        self.lines().last().map_or(0, |line| line.id.saturating_add(1))
    }

    async fn open(folder: &std::path::Path, name: &ConversationId) -> Result<Self, MemoryError> {
        let (file, transcript, lines) = read(folder, name).await?;
        Ok(Self {
            session: name.clone(),
            file: tokio::sync::Mutex::new(file),
            transcript: Mutex::new(transcript),
            lines: Mutex::new(lines),
        })
    }
}

impl Conversations {
    /// Looks at every transcript there is. The desk's and the autonomy session are made if they are missing.
    pub async fn open(folder: PathBuf, db: &AgentDb) -> Result<Self, MemoryError> {
        let records = db.sessions().await?.into_iter().map(|record| (record.id.clone(), record)).collect();
        let conversations = Self {
            folder,
            heads: Mutex::default(),
            open: tokio::sync::Mutex::default(),
            records: Mutex::new(records),
            pinned: Mutex::new(db.state(StateKey::Pinned).await?.unwrap_or_default()),
            unfinished: Mutex::default(),
        };
        conversations.look_at_all().await?;
        Ok(conversations)
    }

    async fn look_at_all(&self) -> Result<(), MemoryError> {
        let mut names = names_in(&self.folder)?;
        // After the cut of `names_in`, so that these two are always there.
        names.extend([DESK_SESSION, AUTONOMY_SESSION].map(ConversationId::from));
        for name in names {
            let (_, transcript, lines) = read(&self.folder, &name).await?;
            if !transcript.open_calls().is_empty() {
                lock(&self.unfinished).insert(name.clone());
            }
            lock(&self.heads).insert(name, Head::of(&lines));
        }
        Ok(())
    }

    /// The conversations in which an earlier run has left a call without its result; they are told once.
    pub fn take_unfinished(&self) -> BTreeSet<ConversationId> {
        std::mem::take(&mut *lock(&self.unfinished))
    }

    /// The conversation called `name`; an error if there is none.
    pub async fn get(&self, name: &ConversationId) -> Result<Arc<Conversation>, OpError> {
        if !lock(&self.heads).contains_key(name) {
            return Err(OpError::not_found(AgentCode::SessionNotFound, "session", name));
        }
        Ok(self.opened(name).await?)
    }

    /// The conversation called `name`, made if there is none. For names that this program has made.
    pub async fn opened(&self, name: &ConversationId) -> Result<Arc<Conversation>, MemoryError> {
        // Held while the file is read, so that two callers do not open it twice.
        let mut open = self.open.lock().await;
        let held = open.iter().position(|conversation| conversation.session == *name);
        let conversation = match held.and_then(|at| open.remove(at)) {
            Some(conversation) => conversation,
            None => Arc::new(Conversation::open(&self.folder, name).await?),
        };
        // One that somebody holds stays: a second copy of it would miss what is appended to the first.
        let unused = |conversation: &Arc<Conversation>| Arc::strong_count(conversation) == 1;
        while open.len() >= OPEN_MAX
            && let Some(at) = open.iter().position(unused)
        {
            open.remove(at);
        }
        // At the end, so that the one unused for longest is closed first.
        open.push_back(Arc::clone(&conversation));
        // Its file is there from here on, so that `get` has to find it.
        lock(&self.heads).entry(name.clone()).or_default();
        Ok(conversation)
    }

    /// A new conversation at the desk.
    pub async fn make(&self) -> Result<SessionRow, OpError> {
        if lock(&self.heads).len() >= SESSIONS_MAX {
            let message = format!("An agent has at most {SESSIONS_MAX} conversations.");
            return Err(OpError::limit_reached(SESSIONS_MAX, message));
        }
        let name = ConversationId::from(format!("{CHAT_PREFIX}{}", uuid::Uuid::now_v7()));
        self.opened(&name).await?;
        Ok(self.row(&name))
    }

    /// Keeps a conversation at the top of the list, or no longer.
    pub async fn pin(&self, db: &AgentDb, name: &ConversationId, on: bool) -> Result<(), OpError> {
        self.get(name).await?;
        let pinned = {
            let mut pinned = lock(&self.pinned).clone();
            if on {
                pinned.insert(name.clone())
            } else {
                pinned.remove(name)
            };
            pinned
        };
        // On disk first: what is shown as pinned is still pinned after a restart.
        db.set_state(StateKey::Pinned, Some(&pinned)).await?;
        *lock(&self.pinned) = pinned;
        Ok(())
    }

    /// Appends an entry; with `synced` it is on disk when this returns, else with the operating system.
    pub async fn append(&self, to: &Conversation, line: EntryLine, synced: bool) -> Result<(), MemoryError> {
        let text = serde_json::to_string(&line).unwrap_or_default();
        // The file first: people and models are shown nothing that the disk has refused.
        to.file.lock().await.append(&text, synced).await?;
        lock(&self.heads).entry(to.session.clone()).or_default().note(&line);
        to.lines().push(line);
        Ok(())
    }

    /// Begins a new epoch of a conversation in which no turn runs: what was said before stays in the file.
    pub async fn reset(&self, _: &TurnSlot, conversation: &Conversation, at_ms: i64) -> Result<(), MemoryError> {
        let entry = lock(&conversation.transcript).reset(at_ms);
        self.append(conversation, EntryLine::from(entry), true).await?;
        conversation.reread();
        Ok(())
    }

    /// Those whose entries are held in memory.
    pub async fn held(&self) -> Vec<Arc<Conversation>> {
        self.open.lock().await.iter().cloned().collect()
    }

    /// Reads the files again, which are others now.
    pub async fn reload(&self, _: &TurnSlot) -> Result<(), MemoryError> {
        for conversation in self.held().await {
            // Held through the exchange: an entry that came in between would go into a file that was replaced.
            let mut file = conversation.file.lock().await;
            let (opened, transcript, lines) = read(&self.folder, &conversation.session).await?;
            *file = opened;
            *lock(&conversation.transcript) = transcript;
            *conversation.lines() = lines;
        }
        self.look_at_all().await
    }

    /// Notes how a conversation stands after a turn, and who answered.
    pub async fn record(&self, db: &AgentDb, session: &ConversationId, by: Answerer, cost_microusd: Option<i64>) {
        let head = lock(&self.heads).get(session).cloned().unwrap_or_default();
        let record = SessionRecord {
            id: session.clone(),
            key: session.as_str().strip_prefix(ROOM_PREFIX).unwrap_or(session.as_str()).to_owned(),
            channel: runtime::wire::word(&channel(session)),
            started_ms: head.started_ms.unwrap_or_default(),
            epoch: head.epoch,
            messages: head.messages,
            provider: by.provider,
            model: Some(by.model),
            cost_microusd,
        };
        // The transcript is the truth: a row that is lost is written again after the next turn.
        if let Err(error) = db.save_session(&record).await {
            tracing::warn!(session = %session, error = &error as &dyn std::error::Error, "a conversation's row");
        }
        lock(&self.records).insert(session.clone(), record);
    }

    /// Writes what is known of every conversation, into a database that a backup has replaced.
    pub async fn put_back(&self, db: &AgentDb) -> Result<(), MemoryError> {
        let records: Vec<SessionRecord> = lock(&self.records).values().cloned().collect();
        for record in records {
            db.save_session(&record).await?;
        }
        let pinned = lock(&self.pinned).clone();
        db.set_state(StateKey::Pinned, Some(&pinned)).await
    }

    /// Every conversation, the one that was used last first.
    pub fn rows(&self) -> Vec<SessionRow> {
        let names: Vec<ConversationId> = lock(&self.heads).keys().cloned().collect();
        let mut rows: Vec<SessionRow> = names.iter().map(|name| self.row(name)).collect();
        rows.sort_by_key(|row| std::cmp::Reverse(row.last_ms));
        rows
    }

    /// One of them.
    pub fn row(&self, name: &ConversationId) -> SessionRow {
        let head = lock(&self.heads).get(name).cloned().unwrap_or_default();
        let records = lock(&self.records);
        let record = records.get(name);
        SessionRow {
            session: name.clone(),
            channel: channel(name),
            title: head.title,
            started_ms: head.started_ms,
            last_ms: head.last_ms,
            messages: head.messages,
            epoch: head.epoch,
            pinned: lock(&self.pinned).contains(name),
            running: None,
            model: record.and_then(|record| record.model.clone()),
            cost_microusd: record.and_then(|record| record.cost_microusd),
        }
    }
}

impl Conversation {
    /// The transcript up to now, also while a turn runs.
    pub fn as_written(&self) -> Transcript {
        // From the lines: while a turn runs, it works on a copy of the transcript.
        let entries: Vec<String> =
            self.lines().iter().map(|line| serde_json::to_string(line).unwrap_or_default()).collect();
        Transcript::load(&entries.join("\n")).transcript
    }

    /// Takes over the entries that were appended beside a turn.
    pub fn reread(&self) {
        *lock(&self.transcript) = self.as_written();
    }
}

/// The conversation in which an agent answers in `room`.
pub(crate) fn room_session(room: &RoomId) -> ConversationId {
    format!("{ROOM_PREFIX}{room}").into()
}

/// The room that `session` is the conversation of.
pub(crate) fn room_of(session: &ConversationId) -> Option<RoomId> {
    RoomId::new(session.as_str().strip_prefix(ROOM_PREFIX)?).ok()
}

/// The channel of the conversation called `name`: autonomy, a room or the desk.
pub(crate) fn channel(name: &ConversationId) -> Channel {
    if *name == AUTONOMY_SESSION {
        Channel::Autonomy
    } else if name.as_str().starts_with(ROOM_PREFIX) {
        Channel::Room
    } else {
        Channel::Desk
    }
}

/// The transcripts in `folder`; files that people have put there are none.
fn names_in(folder: &std::path::Path) -> Result<Vec<ConversationId>, MemoryError> {
    let failed = |source| MemoryError::File { action: "list", path: folder.to_owned(), source };
    let mut names = Vec::new();
    for file in std::fs::read_dir(folder).map_err(failed)? {
        let name = file.map_err(failed)?.file_name();
        let name = name.to_str().and_then(|name| name.strip_suffix(".jsonl"));
        names.extend(name.filter(|name| is_name(name)).map(ConversationId::from));
    }
    names.sort();
    names.truncate(SESSIONS_MAX);
    Ok(names)
}

fn is_name(name: &str) -> bool {
    // A name becomes a path: no dot, no slash, and no capital letter that a file system may fold.
    let is_ours = [DESK_SESSION, AUTONOMY_SESSION].contains(&name)
        || [CHAT_PREFIX, ROOM_PREFIX].iter().any(|prefix| name.starts_with(prefix));
    is_ours && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_".contains(c))
}

async fn read(folder: &std::path::Path, name: &ConversationId) -> Result<Opened, MemoryError> {
    let (file, lines) = TranscriptFile::open(&folder.join(format!("{name}.jsonl"))).await?;
    let loaded = Transcript::load(&lines.join("\n"));
    // A line that a killed process has left unfinished costs that line alone.
    if loaded.skipped > 0 {
        tracing::warn!(session = %name, skipped = loaded.skipped, "lines of the transcript cannot be read");
    }
    let lines = loaded.transcript.entries().iter().cloned().map(EntryLine::from).collect();
    Ok((file, loaded.transcript, lines))
}
