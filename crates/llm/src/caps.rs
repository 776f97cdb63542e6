//! Capabilities of a model on a server. The turn loop asks for these, never for a provider's name.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Identity and capabilities of a model. A server's refusal can lower a capability; nothing raises one at run time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[expect(clippy::struct_excessive_bools, reason = "each is a yes or no of its own about a server")]
pub struct Caps {
    /// Its name, for example `quarterdeck-commands`.
    pub name: String,
    /// Kind of model, as shown to the operator.
    pub kind: ModelKind,
    /// The operator's name of the provider, for example `anthropic`; empty for the built-in interpreter.
    pub provider: String,
    /// The wire format.
    pub api: Api,
    /// Base URL of requests; empty for the built-in interpreter.
    pub base: String,
    /// Kind of server at that URL; absent for the built-in interpreter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub server: Option<ServerKind>,
    /// Tokens of input and output together.
    pub window: u32,
    /// Most tokens of one reply.
    pub output_max: u32,
    /// Most tools of one request, if there is a bound.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub tools_max: Option<u16>,
    /// Support for requests that force a tool call.
    pub choice_required: Choice,
    /// Support for requests that forbid tool calls.
    pub choice_none: Choice,
    /// True if one certain tool can be forced.
    pub choice_named: bool,
    /// Form in which thinking is requested.
    pub thinking: Thinking,
    /// Form in which thinking is switched off; absent if it cannot be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub thinking_off: Option<ThinkingOff>,
    /// True if temperature and other sampling parameters are accepted.
    pub sampling: bool,
    /// Effect of a changed prefix on thinking that is sent back.
    pub prefix_bound: PrefixBound,
    /// True if it takes tool declarations outside the text.
    pub native_tools: bool,
    /// True if it may print calls as markup in its text.
    pub text_calls: bool,
    /// True if it takes tools only through another interface of its provider.
    pub tools_elsewhere: bool,
    /// True if text beside tool results makes the server drop earlier thinking.
    pub results_alone: bool,
    /// True if a system message may stand in the middle.
    pub system_mid: bool,
    /// True if such a message can be limited to one turn.
    pub system_clear: bool,
    /// True if its template wants a user's message last.
    pub user_last: bool,
    /// True if it takes images.
    pub images: bool,
    /// True if the server silently truncates a prompt that is too long.
    pub overflow_silent: bool,
    /// True if a stream reports its usage.
    pub stream_usage: bool,
    /// Form of prompt caching.
    pub cache: Cache,
    /// Dialect of JSON schema that it takes.
    pub schema: Schema,
    /// Shape of call ids.
    pub id_shape: IdShape,
    /// Calls in which its thinking is sent back to it.
    pub reasoning_back: ReasoningBack,
    /// Number of parameters, if its name or its server states it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number")]
    pub parameters: Option<u64>,
}

/// A model with fewer parameters is a small one.
const SMALL_BELOW_PARAMETERS: u64 = 8_000_000_000;

impl Caps {
    /// True if its name or its server says that it has fewer than 8 billion parameters.
    #[must_use]
    pub fn is_small(&self) -> bool {
        self.parameters.is_some_and(|parameters| parameters < SMALL_BELOW_PARAMETERS)
    }

    /// True if a call of it may stand in its text. Models behind the large providers never write one there.
    #[must_use]
    pub fn may_write_calls(&self) -> bool {
        // Of a model behind a server of no known kind only the size tells: small ones write calls into their words.
        let is_anybodys = self.server == Some(ServerKind::OpenaiCompatible);
        self.text_calls || !self.native_tools || (is_anybodys && self.is_small())
    }

    /// The same without one capability; absent if it was not there, so that nothing is tried twice.
    #[must_use]
    pub fn without(&self, lacking: Capability) -> Option<Self> {
        let mut caps = self.clone();
        match lacking {
            Capability::Sampling => caps.sampling = false,
            Capability::Thinking => caps.thinking = Thinking::No,
            Capability::ThinkingOff => caps.thinking_off = None,
            // A server that refuses to force any call cannot force a certain one either.
            Capability::ForcedChoice => {
                caps.choice_required = Choice::Rejected;
                caps.choice_named = false;
            }
            Capability::NoneChoice => caps.choice_none = Choice::Rejected,
            Capability::NativeTools => caps.native_tools = false,
            Capability::SystemMid => caps.system_mid = false,
            Capability::SystemClear => caps.system_clear = false,
            Capability::StreamUsage => caps.stream_usage = false,
            Capability::FullSchema => caps.schema = Schema::OpenApiSubset,
        }
        // A capability that was lacking already has not caused the refusal.
        (caps != *self).then_some(caps)
    }

    /// The built-in command interpreter: no window to fill, no price, nothing to wait for.
    #[must_use]
    pub fn interpreter(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            kind: ModelKind::Interpreter,
            provider: String::new(),
            api: Api::Builtin,
            base: String::new(),
            server: None,
            window: u32::MAX,
            output_max: 4_096,
            tools_max: None,
            choice_required: Choice::Ignored,
            choice_none: Choice::Yes,
            choice_named: false,
            thinking: Thinking::No,
            thinking_off: Some(ThinkingOff::Disabled),
            sampling: false,
            prefix_bound: PrefixBound::No,
            native_tools: true,
            text_calls: false,
            tools_elsewhere: false,
            results_alone: false,
            system_mid: false,
            system_clear: false,
            user_last: false,
            images: false,
            overflow_silent: false,
            stream_usage: true,
            cache: Cache::None,
            schema: Schema::Full,
            id_shape: IdShape::Any,
            reasoning_back: ReasoningBack::Never,
            parameters: None,
        }
    }
}

/// A capability that a server may refuse by name; the call is made once more without it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Capability {
    /// Temperature and the like.
    Sampling,
    /// Asking for thinking.
    Thinking,
    /// Switching thinking off.
    ThinkingOff,
    /// Making it call a tool.
    ForcedChoice,
    /// Keeping it from calling one.
    NoneChoice,
    /// Tools outside the text.
    NativeTools,
    /// A system message in the middle.
    SystemMid,
    /// A system message for one turn.
    SystemClear,
    /// Usage inside a stream.
    StreamUsage,
    /// All of JSON schema.
    FullSchema,
}

/// Kind of the answering model; shown in the header and on each reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum ModelKind {
    /// The built-in command interpreter, not a language model.
    Interpreter,
    /// A language model.
    Language,
}

/// A wire format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Api {
    /// No wire at all.
    Builtin,
    /// Anthropic Messages.
    AnthropicMessages,
    /// OpenAI Chat Completions, and the servers that speak it.
    ChatCompletions,
    /// Gemini generateContent.
    GeminiGenerateContent,
    /// Ollama's own chat interface.
    OllamaChat,
}

/// A kind of server: the same wire format has other habits on another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names are the vendors' own")]
pub enum ServerKind {
    Anthropic,
    Openai,
    Gemini,
    LlamaCpp,
    Ollama,
    LmStudio,
    Vllm,
    /// Any other server that speaks Chat Completions.
    OpenaiCompatible,
}

/// Everything but the wire format that tells one kind of server from another: a new kind is described by one of these.
#[derive(Debug, Clone, Copy)]
pub struct ServerProfile {
    /// Address of its interface, unless the operator names another.
    pub base: &'static str,
    /// True if it runs on this computer unless the operator says otherwise: it is reached without TLS, and asked what it
    /// can do.
    pub is_local: bool,
    /// Its interface for embeddings, as far as this program speaks it.
    pub embeds: Option<EmbeddingForm>,
    /// Place of its version in a path.
    pub(crate) version: Version,
    /// Asks for the whole list of its models at once.
    pub(crate) list_query: Option<&'static str>,
    /// The header that takes its key; `None` is `authorization: Bearer`.
    pub(crate) key_header: Option<&'static str>,
}

/// An interface for embeddings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EmbeddingForm {
    /// That of OpenAI.
    Openai,
    /// Ollama's own.
    Ollama,
}

/// Place of an interface's version in front of every path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Version {
    /// Always there, whether or not the address names it.
    Always(&'static str),
    /// There if the address has no path.
    Alone(&'static str),
    /// In the address, if anywhere.
    Given,
}

impl Version {
    /// `name` in the interface at `path`.
    pub(crate) fn join(self, path: &str, name: &str) -> String {
        let path = path.trim_end_matches('/');
        match self {
            // People write the version into the address or leave it out; it must not stand there twice.
            Self::Always(version) => format!("{}{version}/{name}", path.trim_end_matches(version)),
            Self::Alone(version) if path.is_empty() => format!("{version}/{name}"),
            Self::Alone(_) | Self::Given => format!("{path}/{name}"),
        }
    }
}

impl ServerKind {
    /// Its profile.
    #[must_use]
    pub const fn profile(self) -> ServerProfile {
        let openai = ServerProfile {
            base: "https://api.openai.com/v1",
            is_local: false,
            embeds: Some(EmbeddingForm::Openai),
            version: Version::Alone("/v1"),
            list_query: None,
            key_header: None,
        };
        match self {
            Self::Anthropic => ServerProfile {
                base: "https://api.anthropic.com",
                embeds: None,
                version: Version::Always("/v1"),
                list_query: Some("limit=1000"),
                key_header: Some("x-api-key"),
                ..openai
            },
            Self::Openai => openai,
            Self::Gemini => ServerProfile {
                base: "https://generativelanguage.googleapis.com",
                embeds: None,
                version: Version::Always("/v1beta"),
                list_query: Some("pageSize=1000"),
                key_header: Some("x-goog-api-key"),
                ..openai
            },
            Self::LlamaCpp => ServerProfile { base: "http://127.0.0.1:8080", is_local: true, ..openai },
            Self::Ollama => ServerProfile {
                base: "http://127.0.0.1:11434",
                is_local: true,
                embeds: Some(EmbeddingForm::Ollama),
                ..openai
            },
            Self::LmStudio => ServerProfile { base: "http://127.0.0.1:1234", is_local: true, ..openai },
            Self::Vllm => ServerProfile { base: "http://127.0.0.1:8000", is_local: true, ..openai },
            Self::OpenaiCompatible => ServerProfile { version: Version::Given, ..openai },
        }
    }
}

/// Response to a request that forces or forbids tool calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Choice {
    /// Obeyed.
    Yes,
    /// Accepted without effect.
    Ignored,
    /// Obeyed now and then.
    Unreliable,
    /// The request is refused.
    Rejected,
}

/// Form in which thinking is requested.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Thinking {
    /// It does not think.
    No,
    /// By a number of tokens.
    Budget,
    /// It decides, bounded by an effort.
    Adaptive,
    /// By a level.
    Level,
    /// By an effort.
    Effort,
}

/// Form in which thinking is switched off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum ThinkingOff {
    /// By saying so.
    Disabled,
    /// Only between tools.
    BetweenTools,
    /// By a budget of none.
    Zero,
}

/// Effect of a changed prefix on thinking that is sent back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum PrefixBound {
    /// None.
    No,
    /// A changed prefix loses it without a word.
    Drops,
    /// A changed prefix is an error.
    Rejects,
}

/// Form of prompt caching.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Cache {
    /// Equal prefixes are not reused.
    None,
    /// Up to marks in the request.
    Marks {
        /// Most marks of one request.
        max: u8,
        /// Below this nothing is kept.
        min_tokens: u32,
        /// Blocks before a mark among which an older one is found.
        look_back: u8,
    },
    /// By itself.
    Implicit {
        /// Below this nothing is kept.
        min_tokens: u32,
    },
    /// In the memory of a local server.
    LocalKv,
}

/// Dialect of JSON schema in which tools are declared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Schema {
    /// All of it.
    Full,
    /// The part that OpenAPI 3.0 knows.
    OpenApiSubset,
}

/// Shape of call ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum IdShape {
    /// Any text.
    Any,
    /// `^[a-zA-Z0-9_-]{1,64}$`.
    Word,
    /// `^[a-zA-Z0-9_-]{1,40}$`.
    ShortWord,
    /// Nine letters and digits.
    NineAlphanumerics,
    /// None are sent.
    None,
}

/// Calls in which thinking is sent back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum ReasoningBack {
    /// Never.
    Never,
    /// While its tools run.
    ToolLoop,
    /// Always.
    Always,
}
