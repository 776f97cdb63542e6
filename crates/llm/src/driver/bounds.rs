//! Bounds of a kept reply: a part that would fill the model's window by itself is cut, or no later request would fit.

use crate::{CallId, Caps, Reply, ReplyBlock, SidecarBlock};

/// Always kept of the words, bytes.
const TEXT_BYTES_MIN: usize = 16 * 1024;
/// Always kept of the arguments together, and of the thinking, bytes.
const OTHER_BYTES_MIN: usize = TEXT_BYTES_MIN / 2;
/// No server takes a longer name of a tool.
const NAME_BYTES_MAX: usize = 64;
/// A longer id is sent as its digest anyway.
const ID_BYTES_MAX: usize = 256;
/// Arguments that are no longer are kept whatever stood before them: a stop has none.
const SMALL_ARGUMENTS_BYTES: usize = 1_024;

/// Room left, bytes: for words one for each token of the window, which is about a third of it, and half as much for
/// arguments and for thinking.
struct Room {
    text: usize,
    arguments: usize,
    thinking: usize,
}

impl Room {
    fn of(caps: &Caps) -> Self {
        let window = usize::try_from(caps.window).unwrap_or(usize::MAX);
        let other = (window / 2).max(OTHER_BYTES_MIN);
        Self { text: window.max(TEXT_BYTES_MIN), arguments: other, thinking: other }
    }

    /// Half of some arguments would be other arguments, so none are left of those that are cut: such a call does not
    /// run.
    fn call(&mut self, id: &mut CallId, name: &mut String, args_raw: &mut String) {
        id.0.truncate(id.0.floor_char_boundary(ID_BYTES_MAX));
        name.truncate(name.floor_char_boundary(NAME_BYTES_MAX));
        let bytes = args_raw.len();
        if bytes > self.arguments.max(SMALL_ARGUMENTS_BYTES) {
            *args_raw = format!("[cut: these arguments had {bytes} bytes]");
        }
        // Counted in full although it was cut: a later part gets no room that this one has used up.
        self.arguments = self.arguments.saturating_sub(bytes);
    }

    /// True if a block of the provider's form stays, cut to the room left. Signed thinking, and blocks that only the
    /// provider can read, stay whole or not at all.
    fn keeps(&mut self, block: &mut SidecarBlock) -> bool {
        let bytes = match block {
            SidecarBlock::Text { s, .. } => {
                cut(s, &mut self.text);
                return true;
            }
            SidecarBlock::Call { id, name, args_raw, .. } => {
                self.call(id, name, args_raw);
                return true;
            }
            SidecarBlock::Thinking { s, sig: None } => {
                cut(s, &mut self.thinking);
                return true;
            }
            SidecarBlock::Thinking { s, sig: Some(_) } => s.len(),
            SidecarBlock::Redacted { data } => data.len(),
            SidecarBlock::Item { raw } => raw.to_string().len(),
        };
        let keeps = bytes <= self.thinking;
        self.thinking = self.thinking.saturating_sub(bytes);
        keeps
    }
}

fn cut(text: &mut String, room: &mut usize) {
    let bytes = text.len();
    if bytes > *room {
        text.truncate(text.floor_char_boundary(*room));
        text.push_str(&format!("\n[cut: this text had {bytes} bytes]"));
    }
    *room = room.saturating_sub(bytes);
}

/// The part of `reply` that goes on. Its words and calls are cut alike in both of its forms.
pub(super) fn bounded(mut reply: Reply, caps: &Caps) -> Reply {
    let mut room = Room::of(caps);
    for block in &mut reply.blocks {
        match block {
            ReplyBlock::Text(text) => cut(text, &mut room.text),
            ReplyBlock::Call { id, name, args_raw } => room.call(id, name, args_raw),
        }
    }
    if let Some(sidecar) = &mut reply.sidecar {
        // Counted anew: both forms hold the same words and have to be cut at the same place.
        let mut room = Room::of(caps);
        sidecar.blocks.retain_mut(|block| room.keeps(block));
    }
    reply
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CallId, ServerKind, Sidecar, Usage, caps};

    #[test]
    fn w_03_arguments_and_thinking_that_would_fill_the_window_are_cut_in_both_forms() {
        let caps = Caps { window: 8_192, ..caps(ServerKind::LlamaCpp, "l", "http://l", "m") };
        let big = |bytes| "x".repeat(bytes);
        let call = |id: &str, args_raw: String| SidecarBlock::Call {
            id: CallId(id.into()),
            name: "t".into(),
            args_raw,
            sig: None,
        };
        let blocks = vec![
            SidecarBlock::Thinking { s: big(3_000_000), sig: None },
            SidecarBlock::Thinking { s: big(3_000_000), sig: Some("s".into()) },
            SidecarBlock::Text { s: "Done.".into(), sig: None },
            call("a", format!("{{\"a\":\"{}\"}}", big(3_000_000))),
            call("stop", "{}".into()),
        ];
        let reply = bounded(crate::wire::reply_of(Sidecar { blocks, ..Sidecar::of(&caps) }, Usage::default()), &caps);
        let sidecar = reply.sidecar.clone().expect("a sidecar");
        assert!(serde_json::to_string(&reply).expect("JSON").len() < 2 * TEXT_BYTES_MIN, "all of it is bounded");
        assert_eq!(sidecar.blocks.len(), 4, "signed thinking is whole or not there");
        let args: Vec<&str> = sidecar
            .blocks
            .iter()
            .filter_map(|block| match block {
                SidecarBlock::Call { args_raw, .. } => Some(args_raw.as_str()),
                SidecarBlock::Text { .. }
                | SidecarBlock::Thinking { .. }
                | SidecarBlock::Redacted { .. }
                | SidecarBlock::Item { .. } => None,
            })
            .collect();
        assert_eq!(args, ["[cut: these arguments had 3000008 bytes]", "{}"], "and the stop still is one");
        let own = crate::wire::reply_of(sidecar, Usage::default());
        assert_eq!(own.blocks, reply.blocks, "both forms say the same");
    }

    #[test]
    fn w_03_a_name_or_id_without_end_is_cut_alike_in_both_forms() {
        let caps = caps(ServerKind::LlamaCpp, "l", "http://l", "m");
        let (id, name) = (CallId("i".repeat(250_000)), "stop_".repeat(50_000));
        let blocks = vec![SidecarBlock::Call { id, name, args_raw: "{}".into(), sig: None }];
        let reply = bounded(crate::wire::reply_of(Sidecar { blocks, ..Sidecar::of(&caps) }, Usage::default()), &caps);
        let [ReplyBlock::Call { id, name, args_raw }] = reply.blocks.as_slice() else { panic!("one call") };
        assert_eq!((id.0.len(), name.len(), args_raw.as_str()), (ID_BYTES_MAX, NAME_BYTES_MAX, "{}"));
        let own = crate::wire::reply_of(reply.sidecar.clone().expect("a sidecar"), Usage::default());
        assert_eq!(own.blocks, reply.blocks, "both forms say the same");
    }
}
