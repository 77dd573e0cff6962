//! The table of engines: the one place that names them all.

use crate::args::DecideArgs;
use chc::ClauseEngine;
use chc::cells::Cells;
use chc::cells::abstraction::Instances;
use chc::components::Components;
use chc::portfolio::ClausePortfolio;
use engine::glance::Glance;
use engine::of_rewritten::OfRewritten;
use engine::portfolio::SequentialPortfolio;
use engine::{Engine, OptionName, Options};
use input::Failure;
use kit::cells::with_cells;
use kit::products::with_tracked_products;

/// All engines, in the order they are listed.
pub(crate) static ENGINES: &[&dyn Engine] = &[
    &AUTO,
    &engine::gps::GPS,
    &engine::gps::GPS_PAPER,
    &engine::gps::GPS_LITE,
    &engine::gps::GPS_NOGAS,
    &engine::gps::GPS_NOGAS_NOSUM,
    &engine::impact::Impact,
    &engine::cra::Cra,
    &engine::la::LazyAnnotation,
    &engine::predabs::PREDABS,
    &engine::bmc::BMC,
    &engine::induction::K_INDUCTION,
    &engine::random::RANDOM,
    &engine::finite::FINITE,
];

/// The engine that is used when none is named.
pub(crate) const DEFAULT: &str = "auto";

/// The default portfolio. A program with few and short runs is decided by enumerating them, and a few
/// random runs show the shallow bugs of programs with bit operations or memory. Loops over arrays and
/// lists get a glance with one arbitrary cell of each, and loops that compute products one with the
/// products as variables: no unwinding says as much. A program with bit operations or memory that ends
/// after few steps is unwound, which is quick and exact; others of that kind are run a little for
/// shallow bugs, and induction is tried on their loops. State machines with many control states are the
/// home ground of predicates, and their loops have no summary that says much; nor has a loop over
/// several cells with an order among their indices, which interpolants find. The same is so of loops
/// that jumps split into several. Where `gps` ends without a verdict, something that it cannot describe
/// is often in the way, such as memory, which runs of the program know.
static AUTO: SequentialPortfolio = SequentialPortfolio {
    name: "auto",
    summary: "a glance by finite, by gps at loops over arrays, by predabs at products, by bmc, random and k-induction, by gps at products, predabs for machines of many states, impact for loops over arrays, impact and la for loops split by jumps, then gps, then finite, bmc, k-induction and random",
    parts: &[
        (&engine::finite::FINITE_FIRST, 30),
        (&engine::random::RANDOM_FIRST, 10),
        (&GPS_OF_CELLS, 40),
        (&PREDABS_OF_PRODUCTS, 40),
        (&engine::bmc::BMC_GLANCE, 30),
        (&engine::random::RANDOM_GLANCE, 10),
        (&engine::induction::K_INDUCTION_GLANCE, 40),
        (&GPS_OF_PRODUCTS, 40),
        (&engine::predabs::PREDABS_OF_MACHINES, 70),
        (&IMPACT_OF_CELLS, 40),
        (&IMPACT_OF_SPLIT_LOOPS, 40),
        (&LA_OF_SPLIT_LOOPS, 40),
        (&engine::gps::GPS, 80),
        (&engine::finite::FINITE, 40),
        (&engine::bmc::BMC_LOOK, 60),
        (&engine::induction::K_INDUCTION, 60),
        (&engine::random::RANDOM, 100),
    ],
};

/// A glance at loops over arrays and lists.
static GPS_OF_CELLS: OfRewritten = OfRewritten {
    engine: &engine::gps::GPS_AS_GIVEN,
    rewrite: with_cells,
    effort: 1_000_000,
};

/// Another look at these.
static IMPACT_OF_CELLS: OfRewritten = OfRewritten {
    engine: &engine::impact::Impact,
    rewrite: with_cells,
    effort: 2_000_000,
};

/// A glance at loops that jumps split into several.
static IMPACT_OF_SPLIT_LOOPS: Glance = Glance {
    engine: &engine::impact::Impact,
    suits: engine::split_loops::has_any,
    effort: 500_000,
};

/// Another look at these.
static LA_OF_SPLIT_LOOPS: Glance = Glance {
    engine: &engine::la::LazyAnnotation,
    suits: engine::split_loops::has_any,
    effort: 500_000,
};

/// A glance at loops that compute products.
static PREDABS_OF_PRODUCTS: OfRewritten = OfRewritten {
    engine: &engine::predabs::PREDABS,
    rewrite: with_tracked_products,
    effort: 200_000,
};

/// Another look at these.
static GPS_OF_PRODUCTS: OfRewritten = OfRewritten {
    engine: &engine::gps::GPS_AS_GIVEN,
    rewrite: with_tracked_products,
    effort: 500_000,
};

/// All engines for Horn clauses, in the order they are listed.
pub(crate) static CLAUSE_ENGINES: &[&dyn ClauseEngine] = &[
    &AUTO_CLAUSES,
    &OWN_CLAUSES,
    &chc::automaton::GPS,
    &chc::automaton::CRA,
    &chc::automaton::IMPACT,
    &chc::automaton::PREDABS,
    &chc::automaton::LA,
    &chc::duality::DUALITY,
    &chc::duality::DUALITY_HEIGHTS,
    &chc::duality::DUALITY_MARK_I,
    &chc::duality::DUALITY_MARK_II,
    &chc::duality::DUALITY_MARK_III,
    &chc::duality::DUALITY_MARK_IV,
    &chc::duality::DUALITY_MARK_V,
    &chc::duality::DUALITY_FINAL,
    &CELLS_GPS,
    &CELLS_DUALITY,
    &CELLS_EACH,
    &COMPONENTS,
    &chc::control::Control,
    &chc::pdr::Pdr,
    &chc::runs::Runs,
    &chc::bmc::Bmc,
    &chc::spacer::SPACER,
    &chc::spacer::SPACER_GLOBAL,
    &chc::spacer::SPACER_QUANTIFIED,
];

/// Cells of arrays, linear clauses kept linear.
static CELLS_GPS: Cells = Cells {
    name: "cells-gps",
    summary: "linear clauses with one cell in the place of each array, solved by gps",
    instances: Instances::One,
    engine: &chc::automaton::GPS,
};

/// Cells of arrays, with those that are read.
static CELLS_DUALITY: Cells = Cells {
    name: "cells-duality",
    summary: "clauses with cells in the place of arrays, also those that are read, solved by duality",
    instances: Instances::Read,
    engine: &chc::duality::DUALITY_HEIGHTS,
};

/// Cells of arrays with indices of their own, linear clauses kept linear.
static CELLS_EACH: Cells = Cells {
    name: "cells-each",
    summary: "linear clauses with a cell and its index in the place of each array, solved by gps",
    instances: Instances::Each,
    engine: &chc::automaton::GPS,
};

/// Arguments that have nothing to do with each other, a few at a time.
static COMPONENTS: Components = Components {
    name: "components",
    summary: "a few of the arguments that no clause relates, solved by duality; more if needed",
    engine: &chc::duality::DUALITY_HEIGHTS,
};

/// What is done with clauses when nothing is said.
static AUTO_CLAUSES: ClausePortfolio = ClausePortfolio {
    name: "auto",
    summary: "spacer in two settings and our engines one after the other, short slices first; with arrays, cells and quantified lemmas",
    linear: &[
        (&chc::spacer::SPACER, 12),
        (&chc::runs::Runs, 2),
        (&chc::control::Control, 3),
        (&chc::pdr::Pdr, 10),
        (&chc::automaton::GPS, 15),
        (&chc::automaton::CRA, 100),
        (&chc::spacer::SPACER_GLOBAL, 22),
        (&COMPONENTS, 20),
        (&chc::duality::DUALITY_HEIGHTS, 14),
        (&chc::automaton::GPS, 60),
        (&chc::pdr::Pdr, 50),
        (&chc::spacer::SPACER, 65),
        (&chc::spacer::SPACER_GLOBAL, 60),
        (&chc::pdr::Pdr, 200),
        (&chc::control::Control, 40),
        (&chc::duality::DUALITY, 40),
    ],
    branching: &[
        (&COMPONENTS, 35),
        (&chc::spacer::SPACER, 12),
        (&chc::control::Control, 3),
        (&chc::spacer::SPACER_GLOBAL, 30),
        (&chc::spacer::SPACER, 25),
        (&chc::duality::DUALITY, 90),
        (&chc::spacer::SPACER_GLOBAL, 65),
        (&chc::duality::DUALITY, 280),
        (&chc::duality::DUALITY_HEIGHTS, 60),
    ],
    arrays: &[
        (&chc::spacer::SPACER, 20),
        (&chc::runs::Runs, 2),
        (&CELLS_GPS, 20),
        (&chc::spacer::SPACER_QUANTIFIED, 20),
        (&CELLS_DUALITY, 20),
        (&CELLS_EACH, 20),
        (&COMPONENTS, 20),
        (&chc::duality::DUALITY, 20),
        (&chc::spacer::SPACER_GLOBAL, 20),
        (&chc::duality::DUALITY_HEIGHTS, 10),
    ],
};

/// The same without Z3's own solver of clauses.
static OWN_CLAUSES: ClausePortfolio = ClausePortfolio {
    name: "own",
    summary: "our engines one after the other, short slices first: no solver of clauses but ours",
    linear: &[
        (&chc::runs::Runs, 2),
        (&chc::bmc::Bmc, 6),
        (&chc::control::Control, 3),
        (&chc::pdr::Pdr, 10),
        (&chc::automaton::GPS, 15),
        (&chc::pdr::Pdr, 45),
        (&chc::automaton::CRA, 100),
        (&chc::duality::DUALITY_HEIGHTS, 14),
        (&chc::automaton::GPS, 60),
        (&COMPONENTS, 20),
        (&chc::control::Control, 40),
        (&chc::duality::DUALITY, 40),
        (&chc::pdr::Pdr, 240),
        (&chc::duality::DUALITY_HEIGHTS, 40),
        (&chc::bmc::Bmc, 100),
    ],
    branching: &[
        (&chc::bmc::Bmc, 6),
        (&chc::control::Control, 3),
        (&chc::duality::DUALITY_HEIGHTS, 10),
        (&COMPONENTS, 35),
        (&chc::duality::DUALITY, 70),
        (&chc::duality::DUALITY_HEIGHTS, 160),
        (&chc::duality::DUALITY, 280),
        (&chc::bmc::Bmc, 100),
    ],
    arrays: &[
        (&chc::runs::Runs, 2),
        (&chc::bmc::Bmc, 6),
        (&CELLS_GPS, 30),
        (&CELLS_DUALITY, 30),
        (&CELLS_EACH, 30),
        (&COMPONENTS, 20),
        (&chc::duality::DUALITY, 30),
        (&chc::duality::DUALITY_HEIGHTS, 20),
        (&chc::bmc::Bmc, 20),
    ],
};

/// The engine for Horn clauses of a name.
pub(crate) fn find_clause_engine(name: &str) -> Result<&'static dyn ClauseEngine, Failure> {
    let mut engines = CLAUSE_ENGINES.iter().copied();
    engines.find(|engine| engine.name() == name).ok_or_else(|| {
        let names: Vec<&str> = CLAUSE_ENGINES.iter().map(|engine| engine.name()).collect();
        Failure::new(format!("no engine `{name}` solves Horn clauses"))
            .help(format!("the engines that do are: {}", names.join(", ")))
    })
}

/// The engine of a name.
pub(crate) fn find(name: &str) -> Result<&'static dyn Engine, Failure> {
    let mut engines = ENGINES.iter().copied();
    engines.find(|engine| engine.name() == name).ok_or_else(|| {
        let names: Vec<&str> = ENGINES.iter().map(|engine| engine.name()).collect();
        Failure::new(format!("unknown engine `{name}`"))
            .help(format!("the engines are: {}", names.join(", ")))
    })
}

/// The engine that is asked for, with options that mean something to it.
pub(crate) fn chosen(args: &DecideArgs) -> Result<&'static dyn Engine, Failure> {
    find_able(&args.engine, &args.options.options())
}

/// The engine of a name, if the options that are set mean something to it.
pub(crate) fn find_able(name: &str, options: &Options) -> Result<&'static dyn Engine, Failure> {
    let engine = find(name)?;
    let is_in_vain = |option: &OptionName| option.is_set(options) && !engine.understands(*option);
    let Some(option) = OptionName::ALL.iter().copied().find(is_in_vain) else {
        return Ok(engine);
    };
    let able = ENGINES.iter().filter(|engine| engine.understands(option));
    let names: Vec<&str> = able.map(|engine| engine.name()).collect();
    let (flag, name) = (option.name(), engine.name());
    let message = format!("`{flag}` means nothing to engine `{name}`");
    Err(Failure::new(message).help(format!(
        "engines with that option are: {}",
        names.join(", ")
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_the_default_exists() {
        for (index, engine) in ENGINES.iter().enumerate() {
            assert!(
                ENGINES[..index]
                    .iter()
                    .all(|other| other.name() != engine.name())
            );
        }
        assert!(find(DEFAULT).is_ok());
        assert!(find("no-such-engine").is_err());
    }
}
