//! Verdicts on random programs, against what their runs do: see the crate `verdicts`.

use std::path::PathBuf;

/// Runs the campaign; `Ok(true)` if there is no mistake.
pub(crate) fn run(args: &[String]) -> Result<bool, String> {
    let options = verdicts::Options {
        count: crate::number(args, "--count", 1000)? as usize,
        seed: crate::number(args, "--seed", 1)?,
        first: crate::number(args, "--first", 0)? as usize,
        timeout: crate::seconds(args, "--timeout", 2.0)?,
        jobs: crate::number(args, "--jobs", 2)? as usize,
        cairn: match crate::word(args, "--cairn")? {
            Some(path) => PathBuf::from(path),
            None => crate::build_cairn()?,
        },
        out: crate::word(args, "--out")?.map(PathBuf::from),
        engine: crate::word(args, "--engine")?.map(str::to_owned),
        progress: true,
    };
    let report = verdicts::run(&options)?;
    let report = report.ok_or("there is no gcc with -fsanitize=undefined,address")?;
    if report.models() < 2 {
        eprintln!("xtask: gcc has one data model only; the other is not checked");
    }
    if report.models_of_both() < report.models() {
        eprintln!(
            "xtask: there is no clang for {} of {} data models; gcc alone misses overflows in what \
             it rewrites, so that right answers may be called wrong",
            report.models() - report.models_of_both(),
            report.models()
        );
    }
    print!("{}", report.text());
    Ok(report.is_clean())
}
