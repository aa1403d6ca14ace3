import { type Language, NUMBER, type Rule, spanning, stringRule, wordRule, wordsOf } from './language.ts'

const HASH_COMMENT: Rule = { match: '#.*', token: 'comment' }

const DOUBLE = spanning('double', { open: '[rRbBfFuU]{0,2}"""', close: '"""', token: 'string', hasEscapes: true })
const SINGLE = spanning('single', { open: "[rRbBfFuU]{0,2}'''", close: "'''", token: 'string', hasEscapes: true })

const python: Language = {
  modes: {
    start: [
      HASH_COMMENT,
      DOUBLE.rule,
      SINGLE.rule,
      stringRule('"'),
      stringRule("'"),
      { match: String.raw`^\s*@[\w.]+`, token: 'name' },
      NUMBER,
      wordRule(
        wordsOf({
          keyword:
            'and as assert async await break case class continue def del elif else except finally for from global if import in is lambda match nonlocal not or pass raise return try type while with yield self cls',
          type: 'bool bytes dict float frozenset int list object set str tuple type',
          constant: 'True False None NotImplemented Ellipsis',
        }),
      ),
    ],
    ...DOUBLE.modes,
    ...SINGLE.modes,
  },
}

const SHELL_TEXT = spanning('text', { open: "'", close: "'", token: 'string' })

const shell: Language = {
  modes: {
    start: [
      // A hash inside a word, as in $# or a#b, begins no comment.
      { match: String.raw`(?<![^\s;|&(])#.*`, token: 'comment' },
      SHELL_TEXT.rule,
      { match: '"', token: 'string', mode: 'quoted' },
      { match: String.raw`\$(?:\w+|\{[^}]*\}?|[#?@*$!-])`, token: 'name' },
      { match: String.raw`\\.` },
      // Options and paths are full of words that mean nothing there.
      { match: String.raw`--?[\w-]+`, token: 'constant' },
      {
        match: String.raw`(?<![\w./-])[a-zA-Z_][\w-]*(?![\w./-])`,
        words: wordsOf({
          keyword:
            'if then else elif fi for in do done while until case esac function select time return break continue exit export local readonly declare unset source alias trap set shift eval exec sudo',
          type: 'cd echo printf read test',
          constant: 'true false',
        }),
      },
    ],
    quoted: [
      { match: '"', token: 'string', mode: 'back' },
      { match: String.raw`\\.?`, token: 'string' },
      { match: String.raw`\$(?:\w+|\{[^}]*\}?|[#?@*$!-])`, token: 'name' },
      { match: String.raw`[^"\\$]+`, token: 'string' },
      { match: '.', token: 'string' },
    ],
    ...SHELL_TEXT.modes,
  },
}

const SQL_COMMENT = spanning('comment', { open: String.raw`\/\*`, close: String.raw`\*\/`, token: 'comment' })
const SQL_TEXT = spanning('text', { open: "'", close: "'", token: 'string' })

const sql: Language = {
  ignoresCase: true,
  modes: {
    start: [
      { match: '--.*', token: 'comment' },
      SQL_COMMENT.rule,
      SQL_TEXT.rule,
      { match: '"[^"]*"?', token: 'name' },
      NUMBER,
      wordRule(
        wordsOf({
          keyword:
            'add all alter and any as asc before begin between by cascade case check collate column commit conflict constraint create cross cube current database default deferrable delete desc distinct do drop each else end escape except exists explain fetch filter first for foreign from full function grant group having if ilike in index inner insert intersect into is join key lateral left like limit lock materialized natural no not nothing of offset on only or order outer over partition primary procedure references replace restrict returning revoke right rollback row rows schema select set table temporary then to transaction trigger truncate union unique update using values view when where window with',
          type: 'bigint bigserial binary bit blob boolean bytea char character date datetime decimal double float int integer interval json jsonb numeric real serial smallint text time timestamp timestamptz tinyint uuid varchar',
          constant: 'true false null',
        }),
      ),
    ],
    ...SQL_COMMENT.modes,
    ...SQL_TEXT.modes,
  },
}

/** Languages that are run as they are written. */
export const scriptLanguages = { python, shell, sql }
