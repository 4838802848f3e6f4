//! Error messages.

use crate::printable;
use bsq_analyses::AnalysisError;
use bsq_engine::explore::ExploreError;
use std::error::Error;

/// Formats an error with its causes, made safe to print.
pub fn describe(error: &(dyn Error + 'static)) -> String {
    let text = anyhow::Chain::new(error).map(one).collect::<Vec<_>>().join(": ");
    printable::message(&text).into_owned()
}

/// Formats one error of a chain of causes.
fn one(error: &(dyn Error + 'static)) -> String {
    innermost(error).to_string()
}

/// Finds an error of a type among the causes, or wrapped by one of them.
pub fn find<E: std::error::Error + 'static>(error: &anyhow::Error) -> Option<&E> {
    error.chain().find_map(|cause| innermost(cause).downcast_ref::<E>())
}

/// Unwraps errors that only wrap an error of a solver or of a file.
pub fn innermost<'a>(error: &'a (dyn Error + 'static)) -> &'a (dyn Error + 'static) {
    macro_rules! pass_on {
        ($($variant:path),* $(,)?) => {
            $(if let Some($variant(error)) = error.downcast_ref() {
                return innermost(error);
            })*
        };
    }
    pass_on!(
        AnalysisError::Solve,
        AnalysisError::Explore,
        AnalysisError::Tablebase,
        AnalysisError::Contradiction,
        ExploreError::Solve,
    );
    error
}
