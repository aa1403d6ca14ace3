/** What SQL text does: it only reads, changes rows, destroys what nobody brings back, or runs programs. */
export interface SqlJudgement {
  readonly kind: 'reads' | 'writes' | 'destroys' | 'runs' | 'unknown'
  readonly what: string
}

const ORDER = ['reads', 'writes', 'unknown', 'destroys', 'runs'] as const

/** Judges statements by their tokens: comments, strings and quoted names cannot hide a word, nor make one. */
export function judgeSql(text: string): SqlJudgement {
  const meta = judgeMeta(text)
  const all = [meta, ...split(tokens(text)).map(judgeStatement)]
  return all.reduce((worst, one) => (ORDER.indexOf(one.kind) > ORDER.indexOf(worst.kind) ? one : worst))
}

// Lines for the client itself: psql's `\!`, sqlite's `.shell`, mysql's `system`.
function judgeMeta(text: string): SqlJudgement {
  const runs = /(?:^|[\s;])\\(?:!|copy\b.*\bprogram\b|o\s*\||g\s*\||w\s*\||setenv\b|e\b|ef\b|ev\b)\s*(.*)/is.exec(text)
  const shell =
    /^\s*(?:\.(?:shell|system|load|import\s+["']?\||output\s+["']?\||once\s+["']?\||excel|edit)|(?:system|\\!|\\P|pager|edit|tee|source|\\\.)\s)\s*(.*)/ims.exec(
      text,
    )
  const found = runs ?? shell
  if (found) return { kind: 'runs', what: found[1]?.trim() || found[0].trim() }
  if (/^\s*[.\\]/m.test(text)) return { kind: 'unknown', what: text }
  return { kind: 'reads', what: text }
}

type Token = { readonly word: string; readonly isText: boolean }

function tokens(text: string): Token[] {
  const found: Token[] = []
  const pattern =
    /--[^\n]*|#[^\n]*|\/\*[\s\S]*?\*\/|'(?:''|\\.|[^'])*'|"(?:""|[^"])*"|`[^`]*`|\$(\w*)\$[\s\S]*?\$\1\$|[A-Za-z_][\w$]*|\d+(?:\.\d+)?|<>|!=|<=|>=|::|\S/g
  for (const [token] of text.matchAll(pattern)) {
    // `/*! … */` is code to MySQL.
    if (token.startsWith('/*!')) found.push(...tokens(token.slice(3, -2).replace(/^\d+/, '')))
    else if (/^(?:--|#|\/\*)/.test(token)) continue
    else found.push({ word: /^['"`$]/.test(token) ? token : token.toLowerCase(), isText: /^['$]/.test(token) })
  }
  return found
}

function split(list: readonly Token[]): Token[][] {
  const statements: Token[][] = [[]]
  for (const token of list) {
    if (token.word === ';' && !token.isText) statements.push([])
    else statements.at(-1)?.push(token)
  }
  return statements.filter((statement) => statement.length > 0)
}

const READS = new Set([
  'select',
  'show',
  'explain',
  'describe',
  'desc',
  'values',
  'table',
  'with',
  'use',
  'set',
  'begin',
  'start',
  'commit',
  'rollback',
  'end',
  'pragma',
  'analyze',
])
const WRITES = new Set([
  'insert',
  'update',
  'delete',
  'create',
  'alter',
  'comment',
  'vacuum',
  'reindex',
  'copy',
  'merge',
  'replace',
  'refresh',
  'cluster',
  'lock',
  'prepare',
])
const RUNS =
  /^(?:load_extension|xp_cmdshell|sys_exec|sys_eval|pg_execute_server_program|lo_export|lo_import|pg_read_file|pg_read_binary_file|pg_ls_dir|pg_write_file|dblink\w*|writefile|readfile|edit|load_file|fts3_tokenizer)$/

function judgeStatement(statement: readonly Token[]): SqlJudgement {
  const words = statement.filter(({ isText }) => !isText).map(({ word }) => word)
  const what = statement.map(({ word }) => word).join(' ')
  const has = (word: string) => words.includes(word)
  const [first = ''] = words
  if (words.some((word) => RUNS.test(word)) || (has('copy') && has('program')) || has('outfile') || has('dumpfile'))
    return { kind: 'runs', what }
  if (
    (has('create') && (has('extension') || has('function') || has('procedure') || has('trigger'))) ||
    first === 'do' ||
    first === 'call' ||
    first === 'execute' ||
    first === 'exec'
  )
    return { kind: 'unknown', what }
  if (first === 'drop' || first === 'truncate' || (first === 'alter' && has('drop'))) return { kind: 'destroys', what }
  for (const verb of ['delete', 'update']) if (has(verb) && isForAll(words, verb)) return { kind: 'destroys', what }
  if (has('drop') || has('truncate') || first === 'grant' || first === 'revoke')
    return { kind: first === 'select' ? 'unknown' : 'destroys', what }
  if (WRITES.has(first) || ['delete', 'update', 'insert'].some(has) || has('into')) return { kind: 'writes', what }
  return { kind: READS.has(first) ? 'reads' : 'unknown', what }
}

// Without a condition, or with one that always holds.
function isForAll(words: readonly string[], verb: string): boolean {
  const at = words.indexOf(verb)
  const where = words.indexOf('where', at)
  if (verb === 'update' && !words.slice(at).includes('set')) return false
  if (where < 0) return true
  const [left, operator, right] = words.slice(where + 1)
  if (left === 'true' || left === 'not' || (/^\d+$/.test(left ?? '') && left !== '0' && operator === undefined))
    return true
  return words.includes('or') || (operator === '=' && left === right) || (operator === 'is' && right === 'not')
}
