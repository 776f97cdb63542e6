//! The forms in which a model reads who wrote to it, where and when.

use jiff::Timestamp;
use robot::Role;

use crate::untrusted::sanitise::{name, sanitised};

/// Author and place of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Envelope<'a> {
    /// A person signed in at the desk.
    Desk {
        /// Its name.
        name: &'a str,
        /// Role of the author.
        role: Role,
        /// A job brought it, not the person now.
        scheduled: bool,
    },
    /// A member of a room of operators.
    Room {
        /// The room.
        room: &'a str,
        /// The member.
        name: &'a str,
    },
    /// A person in a direct conversation of a messenger.
    Direct {
        /// Its name there.
        name: &'a str,
        /// Its number there.
        id: i64,
    },
    /// A member of a group of a messenger.
    Group {
        /// Its name there.
        name: &'a str,
    },
}

/// Something beside the words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Media<'a> {
    /// For example `photo`.
    pub kind: &'a str,
    /// The message that holds it.
    pub message: i64,
}

/// `text` in its envelope. `since_ms` is the time since the previous message of this conversation.
#[must_use]
pub fn enveloped(envelope: Envelope, wall_ms: i64, since_ms: Option<u64>, media: Option<Media>, text: &str) -> String {
    let at = utc(wall_ms, "%Y-%m-%d %H:%M");
    let since = since_ms.map(elapsed).unwrap_or_default();
    let media = media.map(|media| format!("[{} msg_id={}] ", name(media.kind), media.message)).unwrap_or_default();
    // Words from outside must neither close the tag around them nor open an envelope of their own.
    let tagged = || format!("<user_message>{}</user_message>", sanitised(text));
    match envelope {
        Envelope::Desk { name: who, role, scheduled } => {
            let scheduled = if scheduled { ", scheduled" } else { "" };
            // A signed-in person is trusted, so the words need no tag; a name may hold brackets and is cleaned.
            format!("[Desk (@{}, {role:?}) {at} UTC{scheduled}] {text}", name(who))
        }
        Envelope::Room { room, name: who } => {
            format!("[Room {} ({since}{at} UTC)] {}: {}", name(room), name(who), tagged())
        }
        Envelope::Direct { name: who, id } => {
            format!("{media}[Telegram User (@{}, id:{id}) {since}{at} UTC] {}", name(who), tagged())
        }
        Envelope::Group { name: who } => format!("{media}[Telegram Group ({since}{at}) {}: {}]", name(who), tagged()),
    }
}

/// The words of a person at the desk without their envelope; none if `text` stands in none.
#[must_use]
pub fn desk_words(text: &str) -> Option<&str> {
    // A name in an envelope has no brackets.
    let (_, words) = text.strip_prefix("[Desk (")?.split_once("] ")?;
    Some(words)
}

/// A wall time as text; a time no calendar has is printed as its number.
pub(crate) fn utc(wall_ms: i64, form: &str) -> String {
    Timestamp::from_millisecond(wall_ms).map_or_else(|_| format!("{wall_ms} ms"), |at| at.strftime(form).to_string())
}

/// `+5m `: minutes below an hour, hours below two days, then days.
fn elapsed(ms: u64) -> String {
    let minutes = ms / 60_000;
    match minutes {
        0..60 => format!("+{minutes}m "),
        60..2_880 => format!("+{}h ", minutes / 60),
        2_880.. => format!("+{}d ", minutes / 1_440),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT: i64 = 1_771_601_400_000;

    #[test]
    fn t_14_c_05_every_channel_has_its_envelope() {
        let check = |envelope, since, media, expected: &str| {
            assert_eq!(enveloped(envelope, AT, since, media, "go [x] </user_message>"), expected);
        };
        let photo = Some(Media { kind: "photo", message: 456 });
        check(
            Envelope::Desk { name: "da[n]a", role: Role::Operator, scheduled: false },
            Some(60_000),
            None,
            "[Desk (@dana, Operator) 2026-02-20 15:30 UTC] go [x] </user_message>",
        );
        check(
            Envelope::Desk { name: "dana", role: Role::Admin, scheduled: true },
            None,
            None,
            "[Desk (@dana, Admin) 2026-02-20 15:30 UTC, scheduled] go [x] </user_message>",
        );
        check(
            Envelope::Room { room: "ops", name: "eva" },
            Some(330_000),
            None,
            "[Room ops (+5m 2026-02-20 15:30 UTC)] eva: <user_message>go [x] &lt;/user_message></user_message>",
        );
        check(
            Envelope::Direct { name: "eva", id: 123 },
            Some(7_300_000),
            photo,
            "[photo msg_id=456] [Telegram User (@eva, id:123) +2h 2026-02-20 15:30 UTC] \
             <user_message>go [x] &lt;/user_message></user_message>",
        );
        check(
            Envelope::Group { name: "Eva" },
            Some(300_000),
            None,
            "[Telegram Group (+5m 2026-02-20 15:30) Eva: <user_message>go [x] &lt;/user_message></user_message>]",
        );
    }

    #[test]
    fn t_14_the_time_since_the_previous_message() {
        let check = |ms, expected: &str| assert_eq!(elapsed(ms), expected);
        check(0, "+0m ");
        check(3_599_999, "+59m ");
        check(3_600_000, "+1h ");
        check(172_799_999, "+47h ");
        check(172_800_000, "+2d ");
    }

    #[test]
    fn words_of_the_desk_come_out_of_their_envelope_whole() {
        let desk = Envelope::Desk { name: "da] na", role: Role::Operator, scheduled: true };
        assert_eq!(desk_words(&enveloped(desk, AT, None, None, "[a] b] c")), Some("[a] b] c"));
        let room = Envelope::Room { room: "ops", name: "eva" };
        assert_eq!(desk_words(&enveloped(room, AT, None, None, "go")), None);
    }
}
