import type { Call, Judge } from '../call.ts'
import { checkPath, shown } from '../check-path.ts'
import { judgeSql } from '../sql.ts'
import { textOf } from './carriers.ts'
import { hostOf } from './network.ts'

/** Programs that speak to databases: the statements are read, and what cannot be read is asked. */
export const databases: Record<string, Judge> = {
  psql: speaksSql(/^-\w*c$|^--command$/, /^(?:-c|--command=)(.+)$/s),
  cockroach: speaksSql(/^-e$|^--execute$/, /^--execute=(.+)$/s),
  mysql: speaksSql(/^-\w*e$|^--execute$/, /^(?:-e|--execute=)(.+)$/s),
  mariadb: speaksSql(/^-\w*e$|^--execute$/, /^(?:-e|--execute=)(.+)$/s),
  sqlcmd: speaksSql(/^-[qQ]$/, /^-[qQ](.+)$/s),
  'clickhouse-client': speaksSql(/^-q$|^--query$/, /^--query=(.+)$/s),
  duckdb: opensFile,
  sqlite3: opensFile,
  sqlite: opensFile,
  mysqladmin: byWords(/\b(?:drop|shutdown|flush\S*|kill|password|reload)\b/i),
  'redis-cli': byWords(
    /\b(?:flushall|flushdb|del|unlink|shutdown|config\s+set|debug|script|eval|rename|restore|migrate|slaveof|replicaof|module\s+load)\b/i,
  ),
  mongosh: byWords(/drop|delete|remove|update|insert|rename|shutdown|eval/i),
  mongo: byWords(/drop|delete|remove|update|insert|rename|shutdown|eval/i),
  mongoexport: byWords(/$^/),
  mongodump: byWords(/$^/),
  mongorestore: byWords(/--drop/),
  pg_dump: dumps,
  pg_dumpall: dumps,
  mysqldump: dumps,
  pg_restore: byWords(/-c\b|--clean/),
  dropdb: byWords(/^/),
  dropuser: byWords(/^/),
  createdb: byWords(/$^/),
  createuser: byWords(/$^/),
  influx: byWords(/\b(?:delete|drop)\b/i),
  cqlsh: byWords(/\b(?:drop|truncate|delete)\b/i),
}

function speaksSql(option: RegExp, glued: RegExp): Judge {
  return (call) => {
    const { args } = call
    const host = args.findIndex(({ text }) => /^(?:-h|--host)$/.test(text))
    const address = args.find(({ text }) => /^[a-z]+:\/\//.test(text))?.text
    call.reach(hostOf(args[host + 1]?.text && host >= 0 ? (args[host + 1]?.text ?? '') : (address ?? 'localhost')))
    call.note('unknown', 'database', textOf(args))
    const statements = args.flatMap(({ text }, at) => {
      const value = glued.exec(text)?.[1]
      if (option.test(args[at - 1]?.text ?? '')) return [text]
      return value !== undefined && !/^-\w*[A-Z]/.test(text) ? [value] : []
    })
    const files = args.filter((_, at) => /^(?:-f|--file|-o|--output|-L)$/.test(args[at - 1]?.text ?? ''))
    for (const file of files) checkPath(call, file, 'read')
    if (call.input.text !== undefined) statements.push(call.input.text)
    for (const statement of statements) take(call, statement)
  }
}

function opensFile(call: Call): void {
  const operands = call.args.filter(
    ({ text }, at) =>
      !text.startsWith('-') &&
      !/^-(?:cmd|init|separator|nullvalue|newline|lookaside|mmap|vfs)$/.test(call.args[at - 1]?.text ?? ''),
  )
  const [file, ...statements] = operands
  const extra = call.args.filter((_, at) => /^-(?:cmd)$/.test(call.args[at - 1]?.text ?? ''))
  call.note('unknown', 'database', operands.map(shown).join(' '))
  if (file && !/^:memory:$/.test(file.text)) checkPath(call, file, 'write')
  for (const { text } of [...statements, ...extra]) take(call, text)
  if (call.input.text !== undefined) take(call, call.input.text)
}

function take(call: Call, statement: string): void {
  const { kind, what } = judgeSql(statement)
  if (kind === 'runs') {
    call.note('hostile', 'runs-program', what)
    call.probe(what)
  } else if (kind === 'destroys') call.note('irreversible', 'destroys', what)
  else if (kind === 'unknown') call.note('unknown', 'database', what)
}

function byWords(destroys: RegExp): Judge {
  return (call) => {
    const line = textOf(call.args)
    const host = call.args.findIndex(({ text }) => /^(?:-h|--host)$/.test(text))
    call.reach(host >= 0 ? (call.args[host + 1]?.text ?? 'localhost') : 'localhost')
    call.note('unknown', 'database', line)
    if (destroys.test(line)) call.note('irreversible', 'destroys', line)
    if (/config\s+set\s+(?:dir|dbfilename)|module\s+load/i.test(line)) call.note('hostile', 'persistence', line)
  }
}

function dumps(call: Call): void {
  call.reach('localhost')
  call.note('unknown', 'database', textOf(call.args))
  for (const [at, arg] of call.args.entries())
    if (/^(?:-f|--file|-r|--result-file)$/.test(call.args[at - 1]?.text ?? '')) checkPath(call, arg, 'write')
}
