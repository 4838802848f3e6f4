//! The tokens of texts about positions, and errors that mark the invalid part.

mod error;
mod suggestion;
mod tokens;

pub use error::{Fault, ParseError};
pub use suggestion::suggestion;
pub use tokens::{Kind, MAX_NUMBER, Token, tokens};
