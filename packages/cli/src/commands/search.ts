import { resolve } from 'node:path'
import type { Hit, OwnHistory, SearchFilter } from '@maru/store'
import { usageError } from '../cli-error.ts'
import { defineCommand, type Invocation } from '../command.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import { drawHit } from '../history/draw-hit.ts'
import { openHistoryFor } from '../history/open-history-for.ts'
import { parseTime } from '../history/parse-time.ts'
import { findServer, PATIENT_MS } from '../remote/find-server.ts'
import type { Finder } from '../remote/finder.ts'
import { cutTo } from '../sessions/draw-list.ts'
import { firstWords } from '../sessions/first-words.ts'
import { printable } from '../terminal/printable.ts'

const ROLES = ['user', 'assistant', 'system', 'note', 'title'] as const
const FEW = 20
const MOST = 10_000
const NAME_COLUMNS = 60

const options = {
  limit: { kind: 'value', value: 'N', summary: 'option.limit' },
  project: { kind: 'value', value: 'PATH', summary: 'option.project' },
  role: { kind: 'value', value: ROLES.join('|'), choices: ROLES, summary: 'option.role' },
  since: { kind: 'value', value: 'TIME', summary: 'option.since' },
  until: { kind: 'value', value: 'TIME', summary: 'option.until' },
  tag: { kind: 'value', value: 'TAG', summary: 'option.tag' },
} as const

/** `maru search`: every message and title that holds the words, also inside longer ones. */
export const search = defineCommand({
  usage: ['search WORDS…'],
  details: 'search.details',
  options,
  positionals: [{ name: 'WORDS', many: true }],
  async run(invocation): Promise<ExitCode> {
    const { json, positionals, signal, stdout, t } = invocation
    const query = positionals.join(' ')
    if (query.trim() === '') throw usageError(t('search.no-words'))
    const limit = readLimit(invocation)
    const filter = readFilter(invocation)
    const opened = await openFinder(invocation)
    try {
      let found = 0
      const named = createNaming(opened)
      for await (const hit of opened.find(query, { filter, limit })) {
        if (signal.aborted) return EXIT.interrupted
        if (json) await stdout.line(JSON.stringify(hit))
        else
          for (const line of [...(found === 0 ? [] : ['']), ...drawHit(await named(hit), invocation)])
            await stdout.line(line)
        found++
      }
      if (found === 0) await invocation.notice(t('search.nothing', { query: printable(query) }))
      return EXIT.done
    } finally {
      await opened.close()
    }
  },
})

/** Gives hits in conversations without a title what those are called in a list: each is looked up once. */
function createNaming({ log }: Finder): (hit: Hit) => Promise<Hit> {
  const names = new Map<string, string | undefined>()
  return async (hit) => {
    const { conversation, title } = hit
    if (title !== undefined) return hit
    if (!names.has(conversation)) names.set(conversation, await firstWords(log.read(conversation)))
    const name = names.get(conversation)
    return name === undefined ? hit : { ...hit, title: cutTo(name, NAME_COLUMNS) }
  }
}

// Where a server holds the history, it is asked.
async function openFinder(invocation: SearchInvocation): Promise<Finder> {
  const server = await findServer(invocation, PATIENT_MS)
  if (server) return (await import('../remote/finder.ts')).openServerFinder(server, invocation)
  const { own, close } = await openHistoryFor(invocation)
  return { log: own.log, find: (query, wish) => findHits(own, { query, ...wish }), close }
}

async function* findHits(
  own: OwnHistory,
  { query, filter, limit }: { query: string; filter: SearchFilter; limit: number },
): AsyncGenerator<Hit, void> {
  let left = limit
  for (let cursor: string | undefined; ; ) {
    const page = await own.search(query, { filter, ...(cursor !== undefined && { cursor }) })
    yield* page.hits.slice(0, left)
    left -= page.hits.length
    if (page.next === undefined || left <= 0) return
    cursor = page.next
  }
}

type SearchInvocation = Invocation<typeof options>

function readLimit({ options: { limit }, t }: SearchInvocation): number {
  if (limit === undefined) return FEW
  if (/^[1-9]\d{0,4}$/.test(limit) && Number(limit) <= MOST) return Number(limit)
  throw usageError(t('search.bad-limit', { value: printable(limit), most: MOST }))
}

function readFilter({ cwd, options: { project, role, since, until, tag }, t }: SearchInvocation): SearchFilter {
  const time = (name: string, text: string | undefined, isEnd: boolean) => {
    if (text === undefined) return undefined
    const at = parseTime(text, { now: Date.now(), isEnd })
    if (at === undefined) throw usageError(t('search.bad-time', { option: name, value: printable(text) }))
    return at
  }
  const [from, to] = [time('--since', since, false), time('--until', until, true)]
  return {
    // A path, unless it is the name of a project that has none.
    ...(project !== undefined && { project: /^[./~]/.test(project) ? resolve(cwd, project) : project }),
    ...(role !== undefined && { role }),
    ...(tag !== undefined && { tag }),
    ...(from !== undefined && { since: from }),
    ...(to !== undefined && { until: to }),
  }
}
