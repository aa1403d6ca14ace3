import { type Language, NUMBER, type Rule, spanning, stringRule, wordRule, wordsOf } from './language.ts'

const CONSTANTS = wordRule(wordsOf({ constant: 'true false null yes no on off' }))

const json: Language = {
  modes: {
    start: [
      { match: String.raw`"(?:[^"\\]|\\.)*"(?=\s{0,20}:)`, token: 'name' },
      stringRule('"'),
      { match: String.raw`\/\/.*`, token: 'comment' },
      { match: String.raw`-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?`, token: 'number' },
      CONSTANTS,
    ],
  },
}

const yaml: Language = {
  modes: {
    start: [
      { match: String.raw`(?<!\S)#.*`, token: 'comment' },
      { match: String.raw`^\s*(?:- +)*[\p{L}\p{N}_$.\/][\p{L}\p{N}_$.\/ -]*(?=:(?:\s|$))`, token: 'name' },
      stringRule('"'),
      { match: "'[^']*'?", token: 'string' },
      { match: String.raw`(?<!\S)[&*!][\w-]+`, token: 'type' },
      NUMBER,
      CONSTANTS,
      { match: String.raw`[\p{L}_][\p{L}\p{N}_.\/-]*` },
    ],
  },
}

const BASIC = spanning('basic', { open: '"""', close: '"""', token: 'string', hasEscapes: true })
const LITERAL = spanning('literal', { open: "'''", close: "'''", token: 'string' })

const toml: Language = {
  modes: {
    start: [
      { match: '#.*', token: 'comment' },
      { match: String.raw`^\s*\[\[?[^\]]*\]?\]?`, token: 'title' },
      { match: String.raw`^\s*[\w.-]+(?=\s{0,20}=)`, token: 'name' },
      BASIC.rule,
      LITERAL.rule,
      stringRule('"'),
      { match: "'[^']*'?", token: 'string' },
      NUMBER,
      CONSTANTS,
    ],
    ...BASIC.modes,
    ...LITERAL.modes,
  },
}

const HTML_COMMENT = spanning('comment', { open: '<!--', close: '-->', token: 'comment' })

const html: Language = {
  modes: {
    start: [
      HTML_COMMENT.rule,
      { match: String.raw`<[\/?!]?[\p{L}][\p{L}\p{N}_:.-]*`, token: 'keyword', mode: 'tag' },
      { match: '&[#a-zA-Z0-9]+;', token: 'constant' },
      { match: '[^<&]+' },
    ],
    tag: [
      { match: String.raw`[\/?]?>`, token: 'keyword', mode: 'back' },
      { match: '"', token: 'string', mode: 'double' },
      { match: "'", token: 'string', mode: 'single' },
      { match: String.raw`[\p{L}_@:][\p{L}\p{N}_:@.-]*`, token: 'name' },
    ],
    double: [
      { match: '"', token: 'string', mode: 'back' },
      { match: '[^"]+', token: 'string' },
    ],
    single: [
      { match: "'", token: 'string', mode: 'back' },
      { match: "[^']+", token: 'string' },
    ],
    ...HTML_COMMENT.modes,
  },
}

const CSS_COMMENT = spanning('comment', { open: String.raw`\/\*`, close: String.raw`\*\/`, token: 'comment' })
const CSS_COMMON: readonly Rule[] = [CSS_COMMENT.rule, stringRule('"'), stringRule("'")]

const css: Language = {
  modes: {
    start: [
      ...CSS_COMMON,
      { match: String.raw`\/\/.*`, token: 'comment' },
      { match: String.raw`@[\w-]+`, token: 'keyword' },
      { match: String.raw`\{`, mode: 'block' },
      { match: String.raw`[.#&:]+[\w-]+`, token: 'type' },
    ],
    block: [
      ...CSS_COMMON,
      { match: String.raw`\}`, mode: 'back' },
      { match: String.raw`\{`, mode: 'block' },
      { match: String.raw`@[\w-]+|!\w+`, token: 'keyword' },
      { match: String.raw`(?:--|\$)?[\w-]+(?=\s{0,20}:(?!:))`, token: 'name' },
      { match: '#[0-9a-fA-F]{3,8}', token: 'constant' },
      { match: String.raw`[\d.]+(?:[a-z]+|%)?`, token: 'number' },
      { match: String.raw`[\w-]+` },
    ],
    ...CSS_COMMENT.modes,
  },
}

const markdown: Language = {
  modes: {
    start: [
      { match: '^#{1,6} .*', token: 'title' },
      { match: String.raw`^\s*(?:${'`'}{3,}|~{3,}).*`, token: 'comment' },
      { match: String.raw`^\s*(?:[-*+]|\d+[.)])(?= )`, token: 'keyword' },
      { match: '^ {0,3}>.*', token: 'comment' },
      { match: '`[^`]*`', token: 'string' },
      { match: String.raw`\*\*[^*]+\*\*`, token: 'title' },
      { match: String.raw`\]\([^()]*\)`, token: 'name' },
      { match: String.raw`[^${'`'}*\]]+` },
    ],
  },
}

const diff: Language = {
  modes: {
    start: [
      { match: String.raw`^(?:diff |index |--- |\+\+\+ |\*\*\* ).*`, token: 'title' },
      { match: '^@@.*', token: 'place' },
      { match: String.raw`^\+.*`, token: 'added' },
      { match: '^-.*', token: 'removed' },
      { match: '.+' },
    ],
  },
}

/** Languages that describe something. */
export const formatLanguages = { json, yaml, toml, html, css, markdown, diff }
