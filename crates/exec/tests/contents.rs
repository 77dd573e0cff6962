//! Objects that come to life without a value: the inputs of a run repeat it, and what is read is what
//! the source has given.

use base::{Budget, Diagnostics, Rng, SourceMap};
use cfront::types::DataModel;
use exec::inputs::{RunInputs, SiteInputs};
use exec::{Contents, End, Inputs, Limits, Machine, Run};
use lower::{FailingAllocations, Options, lower};
use program::expr::{Constant, Type};
use program::ir::{Program, SiteId, SiteKind};

/// Prints what it finds in new objects: of the stack, of a loop, from `malloc`, `realloc`, `alloca`.
const TEXT: &str = r#"
    void *malloc(unsigned long);
    void *calloc(unsigned long, unsigned long);
    void *realloc(void *, unsigned long);
    void *alloca(unsigned long);
    void free(void *);
    int printf(const char *, ...);
    static void show(const char *name, unsigned char *bytes, int count) {
      for (int i = 0; i < count; i++)
        printf("%s[%d] = %d\n", name, i, bytes[i]);
    }
    static void part(int n) {
      unsigned char kept[3];
      show("kept", kept, 3);
      unsigned char *made = alloca(n);
      show("alloca", made, n);
    }
    int main(void) {
      for (int i = 0; i < 3; i++) {
        unsigned char local[4];
        show("local", local, 4);
        local[0] = 9;
        unsigned char *p = malloc(i + 2);
        show("malloc", p, i + 2);
        p[0] = 7;
        p = realloc(p, 6);
        show("realloc", p, 6);
        free(p);
        p = calloc(2, 1);
        show("calloc", p, 2);
        free(p);
        part(i);
      }
      return 0;
    }
"#;

fn lowered(model: DataModel) -> Program {
    let mut sources = SourceMap::new();
    let mut diagnostics = Diagnostics::new();
    let file = sources.add("contents.c", TEXT.as_bytes().to_vec());
    let file = file.expect("the text should fit");
    let front = cfront::Options { model };
    let ast = cfront::parse(&mut sources, &[file], &front, &mut diagnostics);
    let options = Options {
        failing: FailingAllocations::None,
        ..Options::default()
    };
    let program = lower(&ast, &options, &mut diagnostics);
    program.expect("the program should be lowered")
}

fn run(program: &Program, inputs: &mut dyn Inputs) -> Run {
    let limits = Limits {
        steps: 1_000_000,
        memory: 1 << 20,
        depth: 50,
    };
    Machine::new(program).run(inputs, &limits, &Budget::unlimited())
}

/// The inputs of a run, those of each site in order.
fn by_site(run: &Run) -> Vec<(SiteId, Constant)> {
    let mut inputs = run.inputs.clone();
    inputs.sort_by_key(|row| row.0);
    inputs
}

/// Bytes at random, for some objects none or too few; and all that was given.
struct Random {
    rng: Rng,
    given: Vec<(SiteId, u64, Vec<u8>)>,
}

impl Inputs for Random {
    fn next(&mut self, _: SiteId, ty: Type) -> Option<Constant> {
        Some(ty.zero())
    }

    fn contents(&mut self) -> Option<&mut dyn Contents> {
        Some(self)
    }
}

impl Contents for Random {
    fn bytes(&mut self, site: SiteId, size: u64) -> Vec<u8> {
        let count = match self.rng.below(4) {
            0 => 0,
            1 => self.rng.below(size as usize + 1),
            _ => size as usize,
        };
        let bytes: Vec<u8> = (0..count).map(|_| self.rng.bits() as u8).collect();
        self.given.push((site, size, bytes.clone()));
        bytes
    }
}

#[test]
fn inputs_repeat_a_run() {
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        let program = lowered(model);
        let plain = run(&program, &mut SiteInputs::new(&program, &[]));
        assert!(plain.inputs.is_empty(), "zeros are not said");
        let mut others = 0;
        for seed in 0..60 {
            let mut source = Random {
                rng: Rng::new(seed),
                given: Vec::new(),
            };
            let first = run(&program, &mut source);
            assert_eq!(first.end, End::Exited(0), "seed {seed}");
            let again = run(&program, &mut RunInputs::new(&program, &first.inputs));
            assert_eq!(first.output, again.output, "seed {seed}");
            let again = run(&program, &mut SiteInputs::new(&program, &first.inputs));
            assert_eq!(first.output, again.output, "seed {seed}");
            assert_eq!(by_site(&first), by_site(&again), "seed {seed}");
            others += usize::from(first.output != plain.output);
        }
        assert!(others > 50, "only {others} runs found other bytes");
    }
}

#[test]
fn what_is_given_is_what_is_found() {
    let program = lowered(DataModel::Lp64);
    let mut source = Random {
        rng: Rng::new(5),
        given: Vec::new(),
    };
    let output = String::from_utf8(run(&program, &mut source).output).unwrap();
    for (name, sizes) in [
        ("local", &[4, 4, 4][..]),
        ("malloc", &[2, 3, 4]),
        ("alloca", &[0, 1, 2]),
    ] {
        let of_name = |site: SiteId| &*program.sites[site].name == name;
        let rows = source.given.iter().filter(|(site, ..)| of_name(*site));
        let rows: Vec<_> = rows.collect();
        assert!(rows.iter().map(|row| &row.1).eq(sizes), "{name}: {rows:?}");
        let mut expected = Vec::new();
        for (_, size, bytes) in rows {
            for at in 0..*size as usize {
                let byte = bytes.get(at).copied().unwrap_or(0);
                expected.push(format!("{name}[{at}] = {byte}"));
            }
        }
        let found = output.lines().filter(|line| line.starts_with(name));
        assert!(found.eq(expected.iter()), "{name}: {output}");
    }
    // What `realloc` keeps is kept, `calloc` is zero.
    assert_eq!(output.matches("realloc[0] = 7\n").count(), 3, "{output}");
    assert!(!output.contains("calloc[0] = 1") && output.contains("calloc[1] = 0"));
    let kinds = program
        .sites
        .iter()
        .filter(|site| site.kind == SiteKind::Contents);
    assert_eq!(
        kinds.count(),
        5,
        "`local`, `malloc`, `realloc`, `kept`, `alloca`"
    );
}
