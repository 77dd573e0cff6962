//! What lowering asks about the heap: leaks, memory that is not freed, allocations that fail.

#![allow(clippy::unwrap_used, reason = "a test may")]

mod common;

use common::{Lowered, lower_with};
use lower::Options;
use program::ir::*;
use std::collections::BTreeSet;

/// The lines of error locations, in order.
fn error_lines(lowered: &Lowered) -> Vec<u32> {
    let mut lines: Vec<u32> = lowered.errors().into_iter().map(|row| row.0).collect();
    lines.sort_unstable();
    lines
}

#[test]
fn leaks_are_asked_for_where_runs_end_or_go_on() {
    let options = Options {
        properties: BTreeSet::from([Property::Leak]),
        ..Options::default()
    };
    let text = "void *malloc(unsigned long); void exit(int); void abort(void);
        void down(int n) { if (n) down(n - 1); }
        void once(void) {}
        int main(void) {
          int *p = malloc(4);
          for (int i = 0; i < 3; i++)
            *p = i;
          down(3);
          once();
          if (*p == 7) exit(1);
          if (*p == 8) abort();
          return 0;
        }";
    let lines = |text: &str| error_lines(&lower_with(text, &options));
    // The recursive procedure, the return of `main`, the loop, `exit`, `abort`.
    assert_eq!(lines(text), [2, 4, 6, 10, 11]);
    // Where nothing is allocated, nothing is lost.
    assert!(lines(&text.replace("malloc(4)", "0")).is_empty());
}

#[test]
fn all_is_to_be_freed_where_the_program_ends() {
    let options = Options {
        properties: BTreeSet::from([Property::Cleanup]),
        ..Options::default()
    };
    let text = "void *malloc(unsigned long); void exit(int); void _exit(int); void abort(void);
        void __VERIFIER_assume(int);
        int main(void) {
          int *p = malloc(4);
          __VERIFIER_assume(*p < 9);
          while (*p == 1)
            *p = 2;
          if (*p == 6) _exit(1);
          if (*p == 7) exit(1);
          if (*p == 8) abort();
          return 0;
        }";
    let lines = |text: &str| {
        let lowered = lower_with(text, &options);
        (error_lines(&lowered), lowered.program.asks_for_leaks())
    };
    // The return of `main`, the loop, where something may be lost, and the calls that end it. What is
    // assumed does not end it.
    assert_eq!(lines(text), (vec![3, 6, 8, 9, 10], true));
    // Where nothing is allocated, nothing is asked.
    assert!(!lines(&text.replace("malloc(4)", "0")).1);
}

#[test]
fn whether_an_allocation_fails_is_an_input() {
    use lower::FailingAllocations::{All, None, Realloc};
    let text = "void *malloc(unsigned long); void *calloc(unsigned long, unsigned long);
        void *realloc(void *, unsigned long); char *strdup(const char *);
        int main(void) { malloc(1); calloc(1, 1); realloc(malloc(2), 1); strdup(\"\"); }";
    for (failing, expected, assumed) in [
        (None, &[][..], 3),
        (Realloc, &["realloc"], 2),
        (All, &["malloc", "calloc", "malloc", "realloc", "strdup"], 0),
    ] {
        let options = Options {
            failing,
            ..Options::default()
        };
        let program = lower_with(text, &options).program;
        let sites = program.sites.iter();
        let names = sites.filter(|site| site.kind == SiteKind::Failure);
        let names: Vec<&str> = names.map(|site| &*site.name).collect();
        assert_eq!(names, expected);
        assert_eq!(program.assumptions.len(), assumed, "{failing:?}");
    }
}
