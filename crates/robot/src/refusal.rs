//! Codes of refusals. A crate that refuses something keeps its codes in one table, made by [`codes!`](crate::codes): the
//! variant's name gives the word on the wire, its row the kind, the meaning and the remedy.

use std::fmt;

use serde::{Serialize, Serializer};
#[doc(hidden)]
pub use strum;

/// The kind of a refusal; hosts map it to their own status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// The request cannot be read.
    BadRequest,
    /// The input is not what the operation takes.
    BadInput,
    /// Nobody has signed in.
    SignedOut,
    /// The session may not do this.
    Forbidden,
    /// The named thing does not exist.
    NotFound,
    /// The method of the request is not one of this address.
    BadMethod,
    /// It exists, but not in a state in which this can be done.
    Conflict,
    /// The request does not arrive in time.
    TooSlow,
    /// The request has more bytes than may be.
    TooLarge,
    /// Requests come more often than may be.
    TooOften,
    /// Storage or a robot did not answer.
    Unavailable,
    /// A defect of ours.
    Internal,
}

/// A row of a table of codes.
#[derive(Debug)]
pub struct CodeRow {
    /// The kinds with which it occurs, the usual one first.
    pub kinds: &'static [ErrorKind],
    /// One sentence that says what is the case.
    pub meaning: &'static str,
    /// One sentence that says what to do.
    pub remedy: &'static str,
}

/// The code of a refusal: a row of one of the tables. It is made from a variant of a table only.
#[derive(Clone, Copy)]
pub struct Code {
    word: &'static str,
    row: &'static CodeRow,
}

impl Code {
    #[doc(hidden)]
    #[must_use]
    pub const fn of_row(word: &'static str, row: &'static CodeRow) -> Self {
        Self { word, row }
    }

    /// The word on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        self.word
    }

    /// Its row.
    #[must_use]
    pub const fn row(self) -> &'static CodeRow {
        self.row
    }

    /// The usual kind.
    #[must_use]
    pub const fn kind(self) -> ErrorKind {
        self.row.kinds[0]
    }
}

impl PartialEq for Code {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Code {}

impl PartialEq<str> for Code {
    fn eq(&self, word: &str) -> bool {
        self.as_str() == word
    }
}

impl PartialEq<&str> for Code {
    fn eq(&self, word: &&str) -> bool {
        self.as_str() == *word
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// Makes the table of a crate's codes: an enum, each variant with its kinds, its meaning and its remedy.
#[macro_export]
macro_rules! codes {
    ($(#[$doc:meta])* pub enum $table:ident {
        $($code:ident: $($kind:ident)|+, $meaning:literal, $remedy:literal;)+
    }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, $crate::refusal::strum::IntoStaticStr)]
        #[strum(crate = "robot::refusal::strum", serialize_all = "snake_case")]
        pub enum $table {
            $(#[doc = $meaning] $code,)+
        }

        impl $table {
            /// Every code, in the order of the table.
            pub const ALL: &'static [Self] = &[$(Self::$code),+];

            /// Its codes, in the order of the table.
            pub fn codes() -> impl Iterator<Item = $crate::refusal::Code> {
                Self::ALL.iter().copied().map($crate::refusal::Code::from)
            }

            const ROWS: &'static [$crate::refusal::CodeRow] = &[$($crate::refusal::CodeRow {
                kinds: &[$($crate::refusal::ErrorKind::$kind),+],
                meaning: $meaning,
                remedy: $remedy,
            }),+];
        }

        impl From<$table> for $crate::refusal::Code {
            fn from(code: $table) -> Self {
                Self::of_row(code.into(), &$table::ROWS[code as usize])
            }
        }

        impl PartialEq<$table> for $crate::refusal::Code {
            fn eq(&self, code: &$table) -> bool {
                *self == Self::from(*code)
            }
        }
    };
}
