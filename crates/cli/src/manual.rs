//! `cairn completions` and `cairn man`: generated from the definition of the command line.

use crate::args::Cli;
use crate::console::Console;
use crate::exit;
use clap::{Command, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;
use input::Failure;
use std::path::Path;

/// Prints a completion script.
pub(crate) fn completions(shell: Shell, console: &Console) -> Result<u8, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "cairn", &mut script);
    console.answer(&script)?;
    Ok(exit::SAFE)
}

/// Prints the man page of `cairn`, or writes the pages of all commands into a folder.
pub(crate) fn pages(folder: Option<&Path>, console: &Console) -> Result<u8, Failure> {
    let mut whole = Cli::command().disable_help_subcommand(true);
    whole.build();
    let Some(folder) = folder else {
        console.answer(&page(&whole)?)?;
        return Ok(exit::SAFE);
    };
    let unwritable = |error: std::io::Error| Failure::io("cannot write to", folder, &error);
    std::fs::create_dir_all(folder).map_err(unwritable)?;
    let named = |command: &Command| format!("{}.1", command.get_display_name().unwrap_or("cairn"));
    for command in std::iter::once(&whole).chain(whole.get_subcommands()) {
        std::fs::write(folder.join(named(command)), page(command)?).map_err(unwritable)?;
    }
    Ok(exit::SAFE)
}

fn page(command: &Command) -> Result<Vec<u8>, Failure> {
    let mut page = Vec::new();
    Man::new(command.clone())
        .render(&mut page)
        .map_err(|error| Failure::new(format!("the page could not be made: {error}")))?;
    Ok(page)
}
