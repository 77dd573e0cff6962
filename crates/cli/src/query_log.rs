//! `--log-smt`: queries as files, one each.

use crate::console::Console;
use input::Failure;
use smt::QueryLog;
use std::path::Path;
use std::sync::Arc;

/// A log in a folder, if one is given.
pub(crate) fn open(folder: Option<&Path>) -> Result<Option<Arc<QueryLog>>, Failure> {
    let open = |folder: &Path| {
        QueryLog::new(folder).map_err(|error| Failure::io("cannot write into", folder, &error))
    };
    folder.map(open).transpose()
}

/// Says if a query could not be written.
pub(crate) fn close(log: Option<Arc<QueryLog>>, console: &Console) {
    if let Some(problem) = log.and_then(|log| log.failure()) {
        console.remark(&format!("warning: cannot write a query: {problem}\n"));
    }
}
