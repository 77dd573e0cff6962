//! `--log-smt`: queries as files, one each.

use crate::console::Console;
use input::Failure;
use smt::QueryLog;
use std::path::Path;
use std::sync::Arc;

/// A log in a folder, if one is given.
pub(crate) fn open(folder: Option<&Path>) -> Result<Option<Arc<QueryLog>>, Failure> {
    let Some(folder) = folder else {
        return Ok(None);
    };
    let log = QueryLog::new(folder).map_err(|error| {
        Failure::new(format!("cannot write into `{}`: {error}", folder.display()))
    })?;
    Ok(Some(log))
}

/// Says if a query could not be written.
pub(crate) fn close(log: Option<Arc<QueryLog>>, console: &Console) {
    if let Some(problem) = log.and_then(|log| log.failure()) {
        console.remark(&format!("warning: cannot write a query: {problem}\n"));
    }
}
