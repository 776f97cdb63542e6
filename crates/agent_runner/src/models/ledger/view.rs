//! Input of a model in one call, as it was shown: texts are kept once and named by their hash.

use std::collections::BTreeMap;

use llm::{Block, Request, RequestMessage};
use memory::stores::model_calls::ViewPart;
use sha2::{Digest, Sha256};

use runtime::wire::{ViewBlock, ViewLayout, ViewMessage, word};

/// The layout of `request`, and its texts.
pub(super) fn of(request: &Request) -> (ViewLayout, Vec<ViewPart>) {
    let mut texts = Texts::default();
    let tools =
        (!request.tools.is_empty()).then(|| texts.add(&serde_json::to_string(&request.tools).unwrap_or_default()));
    let layout = ViewLayout {
        epoch: request.epoch,
        system: request.system.iter().map(|text| texts.add(text)).collect(),
        tools,
        choice: serde_json::to_value(&request.choice).unwrap_or_default(),
        output_max: request.output_max,
        transient_from: request.transient_from,
        messages: request.messages.iter().map(|message| texts.message(message)).collect(),
    };
    (layout, texts.parts())
}

/// A layout as it is stored; none for one that an older or newer program wrote otherwise.
pub(super) fn read(stored: &str) -> Option<ViewLayout> {
    serde_json::from_str(stored).ok()
}

#[derive(Default)]
struct Texts(BTreeMap<String, String>);

impl Texts {
    /// Keeps a text and gives its name.
    fn add(&mut self, text: &str) -> String {
        let hash = hex::encode(Sha256::digest(text));
        self.0.entry(hash.clone()).or_insert_with(|| text.to_owned());
        hash
    }

    fn message(&mut self, message: &RequestMessage) -> ViewMessage {
        ViewMessage {
            speaker: word(&message.speaker),
            origin: message.origin.to_string(),
            entry: message.entry,
            blocks: message.blocks.iter().map(|block| self.block(block)).collect(),
            replayed: message.sidecar.as_ref().map(|own| self.add(&serde_json::to_string(own).unwrap_or_default())),
        }
    }

    fn block(&mut self, block: &Block) -> ViewBlock {
        match block {
            Block::Text { text, trust } => ViewBlock::Text { hash: self.add(text), trust: *trust },
            Block::Call { id, name, args_raw } => {
                ViewBlock::Call { id: id.clone(), name: name.clone(), hash: self.add(args_raw) }
            }
            Block::Result { call, json, is_error, trust } => {
                ViewBlock::Result { call: call.clone(), hash: self.add(json), is_error: *is_error, trust: *trust }
            }
        }
    }

    fn parts(self) -> Vec<ViewPart> {
        self.0.into_iter().map(|(hash, body)| ViewPart { hash, body }).collect()
    }
}
