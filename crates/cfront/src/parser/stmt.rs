//! Statements and blocks.

use super::scope::Entity;
use super::{Parsed, Parser};
use crate::ast::{Block, Expr, Label, LabelId, LoopScope, Meaning, Stmt, StmtKind};
use crate::claim::ClaimKind;
use crate::token::{Keyword, Punct, Symbol, TokenKind};
use base::Span;

/// What can come before a statement, with a colon.
enum Prefix {
    Label(LabelId),
    Case(usize),
}

impl Parser<'_> {
    /// `{ … }` with a scope of its own.
    pub(super) fn block(&mut self) -> Parsed<Block> {
        let open = self.expect(Punct::LBrace, "before the block")?;
        self.open_scope();
        let region = self.state().regions.current;
        let mut hidden = Vec::new();
        let mut stmts = Vec::new();
        let result = self
            .local_labels(&mut hidden)
            .and_then(|()| self.block_items(&mut stmts, open));
        for (name, old) in hidden.into_iter().rev() {
            let names = &mut self.state().label_names;
            match old {
                Some(label) => names.insert(name, label),
                None => names.remove(&name),
            };
        }
        self.close_scope();
        self.state().regions.current = region;
        Ok(Block {
            stmts,
            span: open.to(result?),
        })
    }

    /// `__label__ a, b;` at the start of a block.
    pub(super) fn local_labels(
        &mut self,
        hidden: &mut Vec<(Symbol, Option<LabelId>)>,
    ) -> Parsed<()> {
        while self.eat_keyword(Keyword::LocalLabel) {
            loop {
                let (name, span) = self.expect_name("the name of a label")?;
                let old = self.state().label_names.remove(&name);
                self.label(name, span);
                hidden.push((name, old));
                if !self.eat(Punct::Comma) {
                    break;
                }
            }
            self.expect(Punct::Semi, "after the labels")?;
        }
        Ok(())
    }

    /// The items of a block up to its brace, which is consumed.
    pub(super) fn block_items(&mut self, stmts: &mut Vec<Stmt>, open: Span) -> Parsed<Span> {
        loop {
            match self.peek() {
                TokenKind::Punct(Punct::RBrace) => return Ok(self.advance().span),
                TokenKind::Eof => return Err(self.unclosed(Punct::RBrace, open, "the block")),
                _ => {
                    let start = self.position;
                    if self.block_item(stmts).is_err() {
                        self.lengths.clear();
                        self.auto_value = None;
                        self.recover_statement(start);
                    }
                }
            }
        }
    }

    fn block_item(&mut self, stmts: &mut Vec<Stmt>) -> Parsed<()> {
        let start = self.span();
        let is_claimed = self.statement_place();
        if self.at_keyword(Keyword::Extension) && !self.extends_expression() {
            self.advance();
        }
        if self.at_local_declaration() {
            if is_claimed {
                // A declaration that declares nothing leaves no statement.
                stmts.push(Stmt::new(StmtKind::Empty, start));
            }
            return self.local_declaration(stmts);
        }
        let stmt = self.statement(true)?;
        stmts.push(stmt);
        Ok(())
    }

    /// Whether `__extension__` comes before an expression.
    fn extends_expression(&self) -> bool {
        use Keyword::*;
        let mut ahead = 1;
        while self.peek_at(ahead) == TokenKind::Keyword(Extension) {
            ahead += 1;
        }
        match self.peek_at(ahead) {
            TokenKind::Keyword(
                Typedef | Extern | Static | Auto | Register | AutoType | StaticAssert | Inline,
            ) => false,
            _ => !self.starts_type_name_at(ahead),
        }
    }

    fn at_local_declaration(&self) -> bool {
        match self.peek() {
            TokenKind::Keyword(Keyword::Attribute) | TokenKind::Punct(Punct::LBracket) => {
                !self.at_attribute_statement() && self.at_attributes()
            }
            TokenKind::Ident(name) => {
                let labels = self.peek_at(1) == TokenKind::Punct(Punct::Colon);
                !labels && (self.starts_declaration() || self.looks_like_type(name))
            }
            _ => self.starts_declaration(),
        }
    }

    fn at_attributes(&self) -> bool {
        self.at_keyword(Keyword::Attribute) || self.at_standard_attribute()
    }

    /// Whether attributes come before a statement (`[[fallthrough]];`) and not a declaration.
    fn at_attribute_statement(&self) -> bool {
        use Keyword::*;
        self.at_attributes() && {
            let ahead = self.after_attributes(0);
            match self.peek_at(ahead) {
                TokenKind::Ident(name) => !self.is_typedef(name) && self.word(name).is_none(),
                TokenKind::Keyword(_) => {
                    !self.starts_type_name_at(ahead)
                        && !matches!(
                            self.peek_at(ahead),
                            TokenKind::Keyword(
                                Static | Extern | Typedef | Auto | Register | Inline | AutoType
                            )
                        )
                }
                _ => true,
            }
        }
    }

    /// The first token after attributes.
    pub(super) fn after_attributes(&self, ahead: usize) -> usize {
        let mut at = ahead;
        loop {
            let token = self.peek_at(at);
            let gnu = token == TokenKind::Keyword(Keyword::Attribute);
            let standard = token == TokenKind::Punct(Punct::LBracket)
                && self.peek_at(at + 1) == TokenKind::Punct(Punct::LBracket);
            if !gnu && !standard {
                return at;
            }
            at += usize::from(gnu);
            let mut depth = 0_usize;
            loop {
                match self.peek_at(at) {
                    TokenKind::Punct(Punct::LParen | Punct::LBracket) => depth += 1,
                    TokenKind::Punct(Punct::RParen | Punct::RBracket) => {
                        depth = depth.saturating_sub(1);
                    }
                    TokenKind::Eof => return at,
                    _ => {}
                }
                at += 1;
                if depth == 0 {
                    break;
                }
            }
        }
    }

    /// A statement under `if`, a loop or a switch.
    pub(super) fn substatement(&mut self) -> Parsed<Stmt> {
        self.statement(false)
    }

    /// A statement, with its labels. In a block a declaration may follow a label.
    fn statement(&mut self, in_block: bool) -> Parsed<Stmt> {
        let mut prefixes = Vec::new();
        loop {
            self.statement_place();
            let start = self.span();
            match self.peek() {
                TokenKind::Keyword(Keyword::Case | Keyword::Default) => {
                    let index = self.case_label()?;
                    prefixes.push((Prefix::Case(index), start));
                }
                TokenKind::Ident(name) if self.peek_at(1) == TokenKind::Punct(Punct::Colon) => {
                    self.advance();
                    self.advance();
                    let label = self.place_label(name, start);
                    prefixes.push((Prefix::Label(label), start));
                }
                _ if self.at_attribute_statement() => {
                    self.attributes()?;
                    continue;
                }
                _ => break,
            }
            if prefixes.len() > super::MAX_HEIGHT as usize {
                return Err(self.error(start, "too many labels on one statement"));
            }
        }
        let ends = !prefixes.is_empty()
            && (self.at(Punct::RBrace) || in_block && self.at_local_declaration());
        let body = if ends {
            Stmt::new(StmtKind::Empty, self.last_span())
        } else {
            self.plain_statement()?
        };
        let labelled = prefixes
            .into_iter()
            .rev()
            .fold(body, |body, (prefix, start)| {
                let span = start.to(body.span);
                let body = Box::new(body);
                let kind = match prefix {
                    Prefix::Label(label) => StmtKind::Label { label, body },
                    Prefix::Case(index) => StmtKind::Case { index, body },
                };
                Stmt { kind, span }
            });
        Ok(labelled)
    }

    fn plain_statement(&mut self) -> Parsed<Stmt> {
        let start = self.span();
        match self.peek() {
            TokenKind::Punct(Punct::LBrace) => {
                let block = self.nested(Self::block)?;
                let span = block.span;
                Ok(Stmt::new(StmtKind::Block(block), span))
            }
            TokenKind::Punct(Punct::Semi) => {
                self.advance();
                Ok(Stmt::new(StmtKind::Empty, start))
            }
            TokenKind::Keyword(keyword) => match keyword {
                Keyword::If => self.if_statement(),
                Keyword::While => self.while_statement(),
                Keyword::Do => self.do_statement(),
                Keyword::For => self.for_statement(),
                Keyword::Switch => self.switch_statement(),
                Keyword::Goto => self.goto_statement(),
                Keyword::Break => self.jump(StmtKind::Break, "break"),
                Keyword::Continue => self.jump(StmtKind::Continue, "continue"),
                Keyword::Return => self.return_statement(),
                Keyword::Asm => self.asm_statement(),
                Keyword::Else => Err(self.error(start, "'else' without an 'if' before it")),
                _ if self.starts_declaration() && !self.at_keyword(Keyword::Extension) => {
                    Err(self.error(start, "a declaration cannot stand here alone"))
                }
                _ => self.expression_statement(),
            },
            _ => self.expression_statement(),
        }
    }

    fn expression_statement(&mut self) -> Parsed<Stmt> {
        let start = self.span();
        let expr = self.expression()?;
        let span = start.to(expr.span);
        self.expect(Punct::Semi, "after the expression")?;
        Ok(Stmt::new(StmtKind::Expr(expr), span))
    }

    /// `( condition )`
    fn controlling(&mut self, what: &str) -> Parsed<Expr> {
        let open = self.expect(Punct::LParen, &format!("after '{what}'"))?;
        let condition = self.expression()?;
        self.close(Punct::RParen, open, "the condition")?;
        Ok(self.condition(condition))
    }

    /// `if`, with its chain of `else if` read in a loop: chains are long, brackets are not.
    fn if_statement(&mut self) -> Parsed<Stmt> {
        let mut arms = Vec::new();
        let last = loop {
            // The first one has been noted with its labels.
            if !arms.is_empty() {
                self.statement_place();
            }
            let start = self.advance().span;
            let condition = self.controlling("if")?;
            let then = self.nested(Self::substatement)?;
            arms.push((start, condition, then));
            if arms.len() > super::MAX_HEIGHT as usize {
                return Err(self.error(start, "this chain of 'else if' is too long"));
            }
            if !self.eat_keyword(Keyword::Else) {
                break None;
            }
            if !self.at_keyword(Keyword::If) {
                break Some(self.nested(Self::substatement)?);
            }
        };
        let mut otherwise = last;
        for (start, condition, then) in arms.into_iter().rev() {
            let end = otherwise.as_ref().map_or(then.span, |stmt| stmt.span);
            otherwise = Some(Stmt::new(
                StmtKind::If {
                    condition,
                    then: Box::new(then),
                    otherwise: otherwise.map(Box::new),
                },
                start.to(end),
            ));
        }
        Ok(otherwise.expect("an if should have an arm"))
    }

    fn loop_body(&mut self) -> Parsed<Box<Stmt>> {
        let state = self.state();
        state.loops += 1;
        state.breakable += 1;
        let body = self.nested(Self::substatement);
        let state = self.state();
        state.loops -= 1;
        state.breakable -= 1;
        Ok(Box::new(body?))
    }

    /// Notes the loop whose keyword comes next, and what can be named there.
    fn note_loop(&mut self) {
        let keyword = self.span();
        let names = self.ordinary.inner().map(|entry| {
            let meaning = match entry.entity {
                Entity::Local(local, _) => Meaning::Local(local),
                Entity::Global(global, _) => Meaning::Global(global),
                Entity::Typedef(..)
                | Entity::Enumerator(..)
                | Entity::Function(..)
                | Entity::Broken => Meaning::Other,
            };
            (self.names.text(entry.name).clone(), meaning)
        });
        let names = names.collect();
        let scope = LoopScope { keyword, names };
        self.state().body.loops.push(scope);
        self.claims(ClaimKind::Loop);
    }

    fn while_statement(&mut self) -> Parsed<Stmt> {
        self.note_loop();
        let start = self.advance().span;
        let condition = self.controlling("while")?;
        let body = self.loop_body()?;
        let span = start.to(body.span);
        Ok(Stmt::new(StmtKind::While { condition, body }, span))
    }

    fn do_statement(&mut self) -> Parsed<Stmt> {
        self.note_loop();
        let start = self.advance().span;
        let body = self.loop_body()?;
        if !self.eat_keyword(Keyword::While) {
            return Err(self.unexpected("'while' after the body of 'do'"));
        }
        let condition = self.controlling("while")?;
        self.expect(Punct::Semi, "after 'do … while'")?;
        Ok(Stmt::new(
            StmtKind::DoWhile { body, condition },
            start.to(self.last_span()),
        ))
    }

    fn for_statement(&mut self) -> Parsed<Stmt> {
        self.note_loop();
        self.open_scope();
        let region = self.state().regions.current;
        let result = self.for_parts();
        self.state().regions.current = region;
        self.close_scope();
        result
    }

    fn for_parts(&mut self) -> Parsed<Stmt> {
        let start = self.advance().span;
        let open = self.expect(Punct::LParen, "after 'for'")?;
        let mut init = Vec::new();
        if self.at_keyword(Keyword::Extension) && !self.extends_expression() {
            self.advance();
        }
        if self.at_local_declaration() {
            self.local_declaration(&mut init)?;
        } else if !self.eat(Punct::Semi) {
            let stmt = self.expression_statement()?;
            init.push(stmt);
        }
        let condition = if self.at(Punct::Semi) {
            None
        } else {
            let condition = self.expression()?;
            Some(self.condition(condition))
        };
        self.expect(Punct::Semi, "after the condition of 'for'")?;
        let step = if self.at(Punct::RParen) {
            None
        } else {
            Some(self.expression()?)
        };
        self.close(Punct::RParen, open, "the head of 'for'")?;
        let body = self.loop_body()?;
        let span = start.to(body.span);
        let kind = StmtKind::For {
            init,
            condition,
            step,
            body,
        };
        Ok(Stmt::new(kind, span))
    }

    /// `break;` or `continue;`
    fn jump(&mut self, kind: StmtKind, word: &str) -> Parsed<Stmt> {
        let span = self.advance().span;
        let state = self.state();
        let (allowed, place) = match kind {
            StmtKind::Continue => (state.loops > 0, "loop"),
            _ => (state.breakable > 0, "loop or switch"),
        };
        if !allowed {
            self.error(span, format!("'{word}' stands in no {place}"));
        }
        self.expect(Punct::Semi, &format!("after '{word}'"))?;
        Ok(Stmt { kind, span })
    }

    fn goto_statement(&mut self) -> Parsed<Stmt> {
        let start = self.advance().span;
        let kind = match self.peek() {
            TokenKind::Ident(name) => {
                let span = self.advance().span;
                let label = self.label(name, span);
                self.note_goto(label, span);
                StmtKind::Goto(label)
            }
            TokenKind::Punct(Punct::Star) => {
                self.advance();
                let address = self.expression()?;
                StmtKind::ComputedGoto(self.jump_target(address))
            }
            _ => return Err(self.unexpected("a label after 'goto'")),
        };
        let span = start.to(self.last_span());
        self.expect(Punct::Semi, "after 'goto'")?;
        Ok(Stmt { kind, span })
    }

    fn jump_target(&mut self, address: Expr) -> Expr {
        let address = self.value(address);
        if !self.types.is_pointer(address.ty.ty) && !self.is_error(address.ty.ty) {
            return self.refused(address.span, "a computed goto needs a pointer");
        }
        let target = self.types.void_pointer();
        self.assigned(address, target.into(), &super::convert::Context::Goto)
    }

    /// The label of a name, made if it is new.
    pub(super) fn label(&mut self, name: Symbol, span: Span) -> LabelId {
        let text = self.names.text(name).clone();
        let state = self.state();
        if let Some(&label) = state.label_names.get(&name) {
            return label;
        }
        let label = state.body.labels.push(Label {
            name: text,
            span,
            address_taken: false,
        });
        state.label_placed.push(false);
        state.label_names.insert(name, label);
        label
    }

    fn place_label(&mut self, name: Symbol, span: Span) -> LabelId {
        let label = self.label(name, span);
        let state = self.state();
        let placed = &mut state.label_placed[base::Id::index(label)];
        if std::mem::replace(placed, true) {
            let other = (state.body.labels[label].span, "the other one is here");
            self.said_twice(name, span, "duplicate label", other);
        } else {
            state.body.labels[label].span = span;
        }
        self.note_label(label);
        label
    }

    fn return_statement(&mut self) -> Parsed<Stmt> {
        let start = self.advance().span;
        let ty = self.state().ty;
        let ret = self.types.function(ty).map_or(self.error, |f| f.ret.ty);
        if self.eat(Punct::Semi) {
            if !self.types.is_void(ret) && !self.is_error(ret) {
                self.warn(
                    start,
                    "'return' without a value in a function that returns one",
                );
            }
            return Ok(Stmt::new(StmtKind::Return(None), start));
        }
        let value = self.expression()?;
        let span = start.to(value.span);
        self.expect(Punct::Semi, "after 'return'")?;
        if !self.types.is_void(ret) {
            let value = self.assigned(value, ret.into(), &super::convert::Context::Return);
            return Ok(Stmt::new(StmtKind::Return(Some(value)), span));
        }
        if !self.types.is_void(value.ty.ty) && !self.is_error(value.ty.ty) {
            self.warn(
                span,
                "'return' with a value in a function that returns none",
            );
        }
        let effect = Stmt::new(StmtKind::Expr(value), span);
        let leave = Stmt::new(StmtKind::Return(None), span);
        Ok(Stmt::new(
            StmtKind::Block(Block {
                stmts: vec![effect, leave],
                span,
            }),
            span,
        ))
    }
}
