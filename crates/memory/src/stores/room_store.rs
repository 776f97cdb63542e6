//! Messages of rooms, as people read them, and the newest sequence number of each station.

use std::collections::BTreeMap;

use sqlx::Row;
use sqlx::sqlite::SqliteRow;

use crate::error::failed;
use crate::{AgentDb, MemoryError};

/// Messages of one room that are kept; the oldest makes room.
const MESSAGES_MAX: i64 = 2_000;

/// A message of a room.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredRoomMessage {
    /// Its number here; rises over all rooms of the agent. Given when it is saved.
    pub n: i64,
    /// The room.
    pub room: String,
    /// The member it came from, as this station calls it; empty for this station itself.
    pub station: String,
    /// The speaker, as that station calls them.
    pub sender: String,
    /// 0 for a person's own words, else the number of agents' answers that led to it.
    pub hop: u8,
    /// The words.
    pub text: String,
    /// When it came, UTC milliseconds.
    pub at_ms: i64,
    /// No turn has been told of it yet, and the next one is to be.
    pub waits: bool,
}

impl AgentDb {
    /// Saves messages in their order, and gives their numbers. They are on disk when this returns.
    pub async fn add_room_messages(&self, messages: &[StoredRoomMessage]) -> Result<Vec<i64>, MemoryError> {
        let action = "save what was said in a room";
        let mut transaction = self.durable(action).await?;
        let mut numbers = Vec::with_capacity(messages.len());
        for message in messages {
            let n: i64 = sqlx::query_scalar(
                "INSERT INTO room_message (room, station, sender, hop, text, at_ms, waits)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) RETURNING n",
            )
            .bind(&message.room)
            .bind(&message.station)
            .bind(&message.sender)
            .bind(message.hop)
            .bind(&message.text)
            .bind(message.at_ms)
            .bind(message.waits)
            .fetch_one(&mut *transaction)
            .await
            .map_err(failed(action))?;
            numbers.push(n);
            sqlx::query(
                "DELETE FROM room_message WHERE room = ?1 AND n <= (SELECT n FROM room_message WHERE room = ?1
                 ORDER BY n DESC LIMIT 1 OFFSET ?2)",
            )
            .bind(&message.room)
            .bind(MESSAGES_MAX)
            .execute(&mut *transaction)
            .await
            .map_err(failed(action))?;
        }
        transaction.commit().await.map_err(failed(action))?;
        Ok(numbers)
    }

    /// Marks the messages that waited in `room`, up to the message `until`, as given to a turn.
    pub async fn note_room_heard(&self, room: &str, until: i64) -> Result<(), MemoryError> {
        // Lazy: if it is lost, the next turn is given the same messages again.
        let action = "note what was heard in a room";
        let mut transaction = self.lazy(action).await?;
        sqlx::query("UPDATE room_message SET waits = 0 WHERE room = ?1 AND n <= ?2 AND waits")
            .bind(room)
            .bind(until)
            .execute(&mut *transaction)
            .await
            .map_err(failed(action))?;
        transaction.commit().await.map_err(failed(action))
    }

    /// The newest `limit` messages of `room`, those before the message `before` if one is named; oldest first.
    pub async fn room_messages(
        &self,
        room: &str,
        before: Option<i64>,
        limit: u32,
    ) -> Result<Vec<StoredRoomMessage>, MemoryError> {
        let rows = sqlx::query("SELECT * FROM room_message WHERE room = ?1 AND n < ?2 ORDER BY n DESC LIMIT ?3")
            .bind(room)
            // Without a message to page from, every number lies before it.
            .bind(before.unwrap_or(i64::MAX))
            .bind(limit)
            .fetch_all(&self.readers())
            .await
            .map_err(failed("read what was said in a room"))?;
        Ok(rows.iter().rev().map(stored).collect())
    }

    /// Messages to `room` since `since_ms` that no turn has been given yet, oldest first, the newest `limit` of them.
    pub async fn room_waiting(
        &self,
        room: &str,
        since_ms: i64,
        limit: u32,
    ) -> Result<Vec<StoredRoomMessage>, MemoryError> {
        let rows = sqlx::query(
            "SELECT * FROM room_message WHERE room = ?1 AND waits AND at_ms >= ?2 ORDER BY n DESC LIMIT ?3",
        )
        .bind(room)
        .bind(since_ms)
        .bind(limit)
        .fetch_all(&self.readers())
        .await
        .map_err(failed("read what waits in a room"))?;
        Ok(rows.iter().rev().map(stored).collect())
    }

    /// The newest sequence number of each station in `room`; this station's own stands under the empty name.
    pub async fn room_seqs(&self, room: &str) -> Result<BTreeMap<String, u64>, MemoryError> {
        let rows: Vec<(String, i64)> = sqlx::query_as("SELECT station, seq FROM room_seq WHERE room = ?1")
            .bind(room)
            .fetch_all(&self.readers())
            .await
            .map_err(failed("read how far a room has counted"))?;
        Ok(rows.into_iter().map(|(station, seq)| (station, u64::try_from(seq).unwrap_or(0))).collect())
    }

    /// Notes the newest sequence number of `station` in `room`; it never falls. It is on disk when this returns.
    pub async fn note_room_seq(&self, room: &str, station: &str, seq: u64) -> Result<(), MemoryError> {
        let action = "note how far a room has counted";
        let mut transaction = self.durable(action).await?;
        sqlx::query(
            "INSERT INTO room_seq (room, station, seq) VALUES (?1, ?2, ?3)
             ON CONFLICT (room, station) DO UPDATE SET seq = max(seq, excluded.seq)",
        )
        .bind(room)
        .bind(station)
        .bind(i64::try_from(seq).unwrap_or(i64::MAX))
        .execute(&mut *transaction)
        .await
        .map_err(failed(action))?;
        transaction.commit().await.map_err(failed(action))
    }
}

fn stored(row: &SqliteRow) -> StoredRoomMessage {
    StoredRoomMessage {
        n: row.get("n"),
        room: row.get("room"),
        station: row.get("station"),
        sender: row.get("sender"),
        hop: row.get("hop"),
        text: row.get("text"),
        at_ms: row.get("at_ms"),
        waits: row.get("waits"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn opened() -> (tempfile::TempDir, AgentDb) {
        let folder = tempfile::tempdir().unwrap();
        let db = AgentDb::open(&folder.path().join("memory.db")).await.unwrap();
        (folder, db)
    }

    fn message(room: &str, text: &str, at_ms: i64) -> StoredRoomMessage {
        let (station, sender) = ("north".into(), "dana".into());
        StoredRoomMessage { n: 0, room: room.into(), station, sender, hop: 0, text: text.into(), at_ms, waits: true }
    }

    fn texts(messages: &[StoredRoomMessage]) -> Vec<&str> {
        messages.iter().map(|message| message.text.as_str()).collect()
    }

    #[tokio::test]
    async fn c_03_what_a_room_has_said_is_read_by_page_and_waits_until_it_was_told() {
        let (_folder, db) = opened().await;
        let said = [message("ops", "a", 1), message("lab", "x", 2), message("ops", "b", 3), message("ops", "c", 4)];
        let numbers = db.add_room_messages(&said).await.unwrap();
        assert_eq!(texts(&db.room_messages("ops", None, 2).await.unwrap()), ["b", "c"]);
        assert_eq!(texts(&db.room_messages("ops", Some(numbers[2]), 2).await.unwrap()), ["a"]);
        assert_eq!(texts(&db.room_waiting("ops", 3, 50).await.unwrap()), ["b", "c"]);
        db.note_room_heard("ops", numbers[2]).await.unwrap();
        assert_eq!(texts(&db.room_waiting("ops", 0, 50).await.unwrap()), ["c"]);
        assert_eq!(texts(&db.room_waiting("lab", 0, 50).await.unwrap()), ["x"], "other rooms wait on");
    }

    #[tokio::test]
    async fn c_06_a_sequence_outlives_the_process_and_never_falls() {
        let (_folder, db) = opened().await;
        for seq in [5, 9, 7] {
            db.note_room_seq("ops", "north", seq).await.unwrap();
        }
        db.note_room_seq("lab", "north", 2).await.unwrap();
        assert_eq!(db.room_seqs("ops").await.unwrap(), BTreeMap::from([("north".to_owned(), 9)]));
    }

    #[tokio::test]
    async fn c_03_the_oldest_messages_of_a_room_make_room() {
        let (_folder, db) = opened().await;
        let said: Vec<_> = (0..MESSAGES_MAX + 3).map(|at_ms| message("ops", "a", at_ms)).collect();
        db.add_room_messages(&said).await.unwrap();
        let kept = db.room_messages("ops", None, u32::MAX).await.unwrap();
        assert_eq!((kept.len(), kept[0].at_ms), (usize::try_from(MESSAGES_MAX).unwrap(), 3));
    }
}
