//! Texts and their tokens.

use super::*;
use crate::token::Pack;

fn tokens(text: &str) -> (Vec<String>, Vec<String>) {
    let mut map = SourceMap::new();
    let file = map.add("t.i", text.as_bytes().to_vec()).unwrap();
    let mut interner = Interner::new();
    let mut diagnostics = Diagnostics::new();
    let tokens = lex(&mut map, file, &mut interner, &mut diagnostics);
    assert_eq!(tokens.last().unwrap().kind, TokenKind::Eof);
    let shown = tokens[..tokens.len() - 1]
        .iter()
        .map(|token| match token.kind {
            TokenKind::Punct(punct) => punct.name().to_string(),
            TokenKind::Keyword(keyword) => format!("{keyword:?}"),
            TokenKind::Ident(symbol) => format!("`{}", interner.text(symbol)),
            TokenKind::PragmaPack(pack) => format!("{pack:?}"),
            TokenKind::Eof | TokenKind::Int | TokenKind::Float => {
                format!("{:?}={}", token.kind, text_of(&map, token))
            }
            TokenKind::Char | TokenKind::String => text_of(&map, token),
        })
        .collect();
    let messages = diagnostics.iter().map(|d| d.message.clone()).collect();
    (shown, messages)
}

fn text_of(map: &SourceMap, token: &Token) -> String {
    String::from_utf8_lossy(map.snippet(token.span)).into_owned()
}

#[test]
fn cuts_text() {
    for (text, expected) in [
        ("int x;", "Int `x ;"),
        ("a+++b<<=c...d->e", "`a ++ + `b <<= `c ... `d -> `e"),
        ("<:<%%>:> <= >>= >", "[ { } ] <= >>= >"),
        (
            "1 0x1p3 1.5f .5 1e+3 0x1e 10ULL 1'000",
            "Int=1 Float=0x1p3 Float=1.5f Float=.5 Float=1e+3 Int=0x1e Int=10ULL Int=1'000",
        ),
        ("0x1e+1 1-1", "Int=0x1e+1 Int=1 - Int=1"),
        (
            r#"L"a" u8"b" 'c' U'\'' "\"" u x"#,
            r#"L"a" u8"b" 'c' U'\'' "\"" `u `x"#,
        ),
        ("a/* x * / */b//c\\\nd\ne", "`a `b `e"),
        (
            "ab\\\ncd in\\\nt +\\\n+ \"x\\\ny\"",
            "`abcd Int ++ \"x\\\ny\"",
        ),
        (
            "_Alignof __alignof__ __thread",
            "Alignof Alignof ThreadLocal",
        ),
        ("caf\u{e9} caf\\u00e9 $x", "`caf\u{e9} `caf\u{e9} `$x"),
        (
            "#pragma pack(push, 1)\nx\n#pragma pack(pop)\n#pragma pack()\n# pragma pack( 2 )\n#pragma omp x",
            "Push(Some(1)) `x Pop Reset Set(2)",
        ),
        ("a\r\nb\r\n", "`a `b"),
        ("a //@ ghost b\n/*@ ghost c*/d", "`a `b `c `d"),
        ("#ident \"x\"\n#\n%: 3\nx", "`x"),
    ] {
        let (got, messages) = tokens(text);
        assert_eq!(got.join(" "), expected, "{text}");
        assert_eq!(messages, Vec::<String>::new(), "{text}");
    }
}

#[test]
fn says_what_is_wrong() {
    for (text, expected, kept) in [
        ("a @ b", "stray `@` in the program", "`a `b"),
        ("a \\ b", "stray `\\` in the program", "`a `b"),
        ("x # y", "stray `#` in the program", "`x `y"),
        ("\"abc\nx", "no closing `\"` on this line", "\"abc `x"),
        ("'", "no closing `'` on this line", "'"),
        ("\"\\", "no closing `\"` on this line", "\"\\"),
        ("a /* b", "this comment is never closed", "`a"),
        ("a\0b", "not a C text: byte 1 is 0x00", ""),
        ("a \x01 b \x02", "not a C text: byte 2 is 0x01", "`a"),
        (
            "#include <a.h>\n#define X\nx",
            "`#include` in a text that should be preprocessed",
            "`x",
        ),
    ] {
        let (got, messages) = tokens(text);
        assert_eq!(messages, [expected], "{text:?}");
        assert_eq!(got.join(" "), kept, "{text:?}");
    }
    let pack = tokens("#pragma pack(3)\n#pragma pack(push, a, 4)\nx");
    assert_eq!(pack.1.len(), 2);
    assert_eq!(pack.0.len(), 1, "{:?} {:?}", pack, Pack::Pop);
}

#[test]
fn records_line_markers() {
    let mut map = SourceMap::new();
    let text = "# 1 \"a\\\"b.c\"\nx\n# 7 \"/usr/include/s.h\" 1 3 4\ny\n#line 40\nz\n";
    let file = map.add("t.i", text.as_bytes().to_vec()).unwrap();
    let tokens = lex(
        &mut map,
        file,
        &mut Interner::new(),
        &mut Diagnostics::new(),
    );
    let places: Vec<(String, bool)> = tokens[..3]
        .iter()
        .map(|t| {
            (
                map.presumed(t.span).unwrap().to_string(),
                map.is_system(t.span),
            )
        })
        .collect();
    assert_eq!(
        places,
        [
            ("a\"b.c:1:1".to_string(), false),
            ("/usr/include/s.h:7:1".to_string(), true),
            ("/usr/include/s.h:40:1".to_string(), true),
        ]
    );
}
