//! Architecture.
