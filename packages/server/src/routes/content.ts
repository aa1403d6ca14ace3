import { createWriteStream } from 'node:fs'
import { mkdtemp, readdir, realpath, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { api, BlobRef, Hash, shape as s } from '@maru/protocol'
import { problemOf, refusal } from '../http/problem.ts'
import { type Call, defineRoute, type Reply, type Route } from '../http/route.ts'
import { uploadsOf } from '../keep/uploads.ts'
import type { RouteContext } from './context.ts'
import { Cursor, Limit } from './shapes.ts'

/** Content by hash is held in memory on its way: it stays small. */
const MOST_BLOB = 64 * 1024 * 1024
const MOST_BLOBS = 8
const SMALL_BLOB = 1024 * 1024
const MOST_IMPORTS = 4
const MOST_REPOSITORIES = 500

/** Names that the store itself gives to holders begin otherwise. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is kept out
const Holder = s.string({ min: 1, max: 128, pattern: /^[^#@\u0000-\u001f\u007f][^\u0000-\u001f\u007f]*$/ })

/** What comes in and goes out as bytes, and where agents may work. */
export function contentRoutes(context: RouteContext): Route[] {
  const { inside, ownOf } = context
  const [imports, large] = [createPlaces(MOST_IMPORTS), createPlaces(MOST_BLOBS)]
  return [
    defineRoute({
      ...{ method: 'POST', path: '/api/v1/blobs', scope: 'write', tag: 'content', body: 'bytes' },
      query: s.object({ holder: s.optional(Holder) }),
      summary: 'Stores content by its hash; without a holder, a message has to name it within two days',
      answers: { 201: { description: 'What it is called', shape: BlobRef } },
      async handle({ key, query, stream }) {
        const leave = (stream.length ?? Infinity) > SMALL_BLOB ? large.enter() : () => undefined
        try {
          const content = await collect(stream, Math.min(MOST_BLOB, inside.limits.upload))
          const { blobs } = await ownOf(key.person.id)
          const json = await blobs.put(query.holder ?? uploadsOf(inside.options.now()), content)
          return { status: 201, headers: { location: `/api/v1/blobs/${json.hash}` }, json }
        } finally {
          leave()
        }
      },
    }),
    defineRoute({
      ...{
        method: 'GET',
        path: '/api/v1/blobs/:hash',
        scope: 'read',
        tag: 'content',
        params: s.object({ hash: Hash }),
      },
      query: s.object({ holder: s.optional(Holder) }),
      summary: 'Content by its hash, whole or a range of its bytes',
      answers: {
        200: { description: 'All of it', type: 'application/octet-stream' },
        206: { description: 'A range of it', type: 'application/octet-stream' },
      },
      async handle({ key, params: { hash }, query: { holder }, header }) {
        const own = await ownOf(key.person.id)
        const content = await (holder === undefined ? own.content(hash) : own.blobs.get(holder, hash))
        if (!content) throw refusal('not-found')
        return rangeOf(content, header('range'), hash)
      },
    }),
    defineRoute({
      ...{ method: 'POST', path: '/api/v1/import', scope: 'write', tag: 'content', body: 'bytes' },
      query: s.object({ name: s.optional(s.string({ min: 1, max: 255 })) }),
      summary: 'Reads an uploaded file (an export of another program, or of Maru) into the history',
      answers: {
        200: { description: 'Lines of JSON: progress, then a report or a problem', type: 'application/x-ndjson' },
      },
      async handle(call) {
        const leave = imports.enter()
        let folder: string | undefined
        const release = async () => {
          leave()
          if (folder !== undefined) await rm(folder, { recursive: true, force: true })
        }
        try {
          folder = await mkdtemp(join(tmpdir(), 'maru-upload-'))
          const name = basename(call.query.name ?? 'upload').replaceAll('\0', '') || 'upload'
          const path = join(folder, 'upload')
          await pipeline(Readable.from(call.stream), createWriteStream(path, { mode: 0o600 }))
          const content = importLines(context, call, { path, name, release })
          return { status: 200, content, type: 'application/x-ndjson' }
        } catch (error) {
          await release()
          throw error
        }
      },
    }),
    defineRoute({
      ...{ method: 'GET', path: '/api/v1/repositories', scope: 'read', tag: 'sessions' },
      query: s.object({ limit: s.optional(Limit), cursor: s.optional(Cursor) }),
      summary: 'Folders in which agents may work: the roots of the server, and the repositories right below them',
      answers: { 200: { description: 'All of them', shape: api.pageOf(api.Repository) } },
      handle: async () => ({ status: 200, json: { items: await findRepositories(inside.options.roots) } }),
    }),
  ]
}

// So many at a time; whoever comes then is told to come back.
function createPlaces(most: number): { enter(): () => void } {
  let taken = 0
  return {
    enter() {
      if (taken >= most) throw refusal('too-many', 'other uploads are under way', { retryAfter: 5 })
      taken++
      let hasLeft = false
      return () => {
        if (!hasLeft) taken--
        hasLeft = true
      }
    },
  }
}

async function collect(stream: AsyncIterable<Uint8Array>, most: number): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of stream) {
    bytes += piece.length
    if (bytes > most) throw refusal('too-large', `at most ${most} bytes`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

function rangeOf(content: Uint8Array, range: string | undefined, hash: string): Reply {
  const headers = {
    // Whatever it is, it is not a page of ours.
    'content-disposition': `attachment; filename="${hash}"`,
    'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
    'cache-control': 'private, max-age=31536000, immutable',
    'accept-ranges': 'bytes',
    etag: `"${hash}"`,
  }
  const type = 'application/octet-stream'
  const [, first, last] = /^bytes=(\d{1,15})-(\d{0,15})$/.exec(range ?? '') ?? []
  if (first === undefined) return { status: 200, headers, content, type }
  const start = Number(first)
  const end = Math.min(last === '' ? content.length : Number(last) + 1, content.length)
  if (start >= content.length || end <= start) throw refusal('range-refused', `it has ${content.length} bytes`)
  const place = `bytes ${start}-${end - 1}/${content.length}`
  return { status: 206, headers: { ...headers, 'content-range': place }, content: content.subarray(start, end), type }
}

interface Upload {
  path: string
  name: string
  release(): Promise<void>
}

const PROGRESS_MS = 200

async function* importLines(
  { inside, ownOf }: RouteContext,
  { key, signal }: Call,
  { path, name, release }: Upload,
): AsyncGenerator<string, void> {
  const print = (line: api.ImportLine) => `${JSON.stringify(line)}\n`
  const abort = new AbortController()
  let stopped: Promise<unknown> | undefined
  try {
    let latest: api.ImportLine | undefined
    const own = await ownOf(key.person.id)
    const work = inside.options.workshop.importUpload(
      own,
      { path, name },
      (done) => {
        latest = { type: 'progress', ...done }
      },
      AbortSignal.any([signal, abort.signal]),
    )
    const settled = work.then(
      (report): api.ImportLine => ({ type: 'report', ...report }),
      (error: unknown): api.ImportLine => ({ type: 'problem', problem: problemOf(error) }),
    )
    stopped = settled
    for (;;) {
      const line = await Promise.race([settled, pause(PROGRESS_MS)])
      if (latest) yield print(latest)
      latest = undefined
      if (!line) continue
      yield print(line)
      return
    }
  } finally {
    // Also when nobody listens any more; its file is there for as long as it is read.
    abort.abort()
    await stopped
    await release()
  }
}

function pause(ms: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), ms))
}

async function findRepositories(roots: readonly string[]): Promise<api.Repository[]> {
  const found = new Map<string, api.Repository>()
  for (const root of roots) {
    const real = await realpath(root).catch(() => undefined)
    if (real === undefined) continue
    found.set(real, { path: real, name: basename(real) || real })
    for (const entry of await readdir(real, { withFileTypes: true }).catch(() => [])) {
      if (found.size >= MOST_REPOSITORIES) break
      const path = join(real, entry.name)
      if (entry.isDirectory() && (await isThere(join(path, '.git')))) found.set(path, { path, name: entry.name })
    }
  }
  return [...found.values()]
}

function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
