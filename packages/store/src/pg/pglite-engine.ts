import { execFile } from 'node:child_process'
import { fsyncSync } from 'node:fs'
import { mkdir, mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type * as Main from '@electric-sql/pglite'
import type { PGlite } from '@electric-sql/pglite'
import type * as Disk from '@electric-sql/pglite/nodefs'
import { LogError } from '@maru/protocol'
import { isErrno, syncDirectory } from '../jsonl/paths.ts'
import { type Lock, lockPath } from '../jsonl/process-lock.ts'
import {
  type Engine,
  identify,
  parseBytes,
  parseInteger,
  parseTime,
  type Queries,
  TYPES,
  type UpkeepOptions,
} from './engine.ts'
import { unpackTemplate } from './unpack-template.ts'
import { readNotes, type Upkeep, writeNotes } from './upkeep-notes.ts'

export interface PgliteOptions {
  /** Made if it is not there; locked for this process while it is open. */
  directory: string
  /** A prepared data directory as a tar file, which saves a first start most of its time. */
  template?: string
  /** False only for tests and benches: then what was acknowledged survives the process, not the power. */
  isDurable?: boolean
}

/** The version of PostgreSQL inside PGlite: a directory of another cannot be opened. */
const MAJOR = '18'

/** PostgreSQL inside this process, on a directory that no other process may open. */
export async function openPglite(options: PgliteOptions): Promise<Engine> {
  const { directory, isDurable = true } = options
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const lock = await lockPath(directory)
  if ('heldBy' in lock) throw held(directory, lock)
  try {
    const isReady = await isPrepared(directory)
    const pglite = isReady ? await start(join(directory, 'data'), { isDurable }) : await prepare(directory, options)
    return new PgliteEngine(pglite, { directory, release: lock.release })
  } catch (error) {
    await lock.release()
    throw error
  }
}

/** A data directory that is ready for use, as the bytes of a tar file; `fill` brings the schema in. */
export async function packTemplate(fill: (engine: Engine) => Promise<void>): Promise<Uint8Array> {
  const directory = await mkdtemp(join(tmpdir(), 'maru-template-'))
  const pglite = await start(join(directory, 'data'), { isDurable: false })
  const release = () => rm(directory, { recursive: true, force: true })
  const engine = new PgliteEngine(pglite, { directory, release })
  try {
    await fill(engine)
    await engine.upkeep()
    const file = await pglite.dumpDataDir('gzip')
    return new Uint8Array(await file.arrayBuffer())
  } finally {
    await engine.close()
  }
}

function held(directory: string, { heldBy }: Extract<Lock, { heldBy: unknown }>): LogError {
  const who = heldBy.pid === undefined ? 'another process' : `process ${heldBy.pid}`
  const details = { directory, ...(heldBy.pid !== undefined && { pid: heldBy.pid }) }
  return new LogError('held', `the history in ${directory} is open in ${who}: end it, or go through it`, { details })
}

// Written last: a first start that is cut short leaves nothing that looks finished.
const MARK = 'prepared'

async function isPrepared(directory: string): Promise<boolean> {
  const version = (await readFile(join(directory, 'data', 'PG_VERSION'), 'utf8').catch(ignoreAbsent))?.trim()
  if (version === undefined || (await readFile(join(directory, MARK)).catch(ignoreAbsent)) === undefined) return false
  if (version === MAJOR) return true
  const message = `${directory} was written by PostgreSQL ${version}, this Maru reads ${MAJOR}: dump it with the Maru that wrote it`
  throw new LogError('newer', message, { details: { directory, version } })
}

async function prepare(directory: string, { template, isDurable }: PgliteOptions): Promise<PGlite> {
  const data = join(directory, 'data')
  await rm(data, { recursive: true, force: true })
  const packed = template === undefined ? undefined : await readFile(template).catch(ignoreAbsent)
  if (packed) unpackTemplate(packed, data)
  const pglite = await start(data, { isDurable: isDurable ?? true })
  if (isDurable ?? true) await syncTree(directory)
  await writeFile(join(directory, MARK), '', { flush: true })
  await syncDirectory(directory)
  return pglite
}

// A thousand small files. Asked for one by one they cost the disk a thousand answers; Linux can be asked for all.
async function syncTree(directory: string): Promise<void> {
  if (process.platform === 'linux') {
    const isSynced = await new Promise<boolean>((resolve) => {
      execFile('sync', ['--file-system', directory], (error) => resolve(error === null))
    })
    if (isSynced) return
  }
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const work = async () => {
    for (let path = paths.pop(); path !== undefined; path = paths.pop()) {
      const file = await open(path, 'r')
      try {
        await file.sync()
      } finally {
        await file.close()
      }
    }
  }
  await Promise.all([work(), work(), work(), work()])
}

function ignoreAbsent(error: unknown): undefined {
  // Only a slower start.
  if (!isErrno(error, 'ENOENT')) throw error
}

// PGlite itself starts with -F: never to ask the disk.
const START = [
  ...['--single', '-O', '-j', '-c', 'search_path=public', '-c', 'exit_on_error=false', '-c', 'log_checkpoints=false'],
  ...['-c', 'max_worker_processes=0', '-c', 'max_parallel_workers=0', '-c', 'max_parallel_workers_per_gather=0'],
  ...['-c', 'max_parallel_maintenance_workers=0', '-c', 'io_method=sync'],
  // Small logs: nobody runs a checkpointer here, and a start after a crash reads them all.
  // A file of the log that is done with goes: used again, it would keep what was erased.
  ...[
    '-c',
    'max_wal_size=64MB',
    '-c',
    'min_wal_size=32MB',
    '-c',
    'wal_recycle=off',
    '-c',
    'timezone=UTC',
    '-c',
    'jit=off',
  ],
]

async function start(data: string, options: { isDurable: boolean }): Promise<PGlite> {
  const { PGlite, NodeFS } = await loadPglite()
  const disk = new NodeFS(data)
  const init = disk.init.bind(disk)
  // Emscripten hands fsync on to a file system that has one; NODEFS has none, so nothing ever reached the disk.
  // `fdatasync` it drops altogether: hence wal_sync_method.
  disk.init = async (pglite, module) => {
    const ready = await init(pglite, module)
    ready.emscriptenOpts.preRun = [
      ...(ready.emscriptenOpts.preRun ?? []),
      (started: unknown) => {
        const { NODEFS } = started as { NODEFS: { stream_ops: { fsync?(stream: { nfd: number }): number } } }
        NODEFS.stream_ops.fsync = ({ nfd }) => {
          fsyncSync(nfd)
          return 0
        }
      },
    ]
    return ready
  }
  return PGlite.create({
    fs: disk,
    startParams: [...START, '-c', `fsync=${options.isDurable ? 'on' : 'off'}`, '-c', 'wal_sync_method=fsync'],
    parsers: {
      [TYPES.bytes]: parseBytes,
      [TYPES.int8]: parseInteger,
      [TYPES.numeric]: Number,
      [TYPES.timestamp]: parseTime,
      [TYPES.timestamptz]: parseTime,
    },
    serializers: { [TYPES.bytes]: (bytes: Uint8Array) => `\\x${Buffer.from(bytes).toString('hex')}` },
  })
}

// From where it is installed, with the files that lie beside it: names that a bundler cannot see it leaves alone.
async function loadPglite(): Promise<Pick<typeof Main, 'PGlite'> & Pick<typeof Disk, 'NodeFS'>> {
  const name = '@electric-sql/pglite'
  const load = (path: string): Promise<unknown> => import(path)
  const [main, disk] = await Promise.all([load(name), load(`${name}/nodefs`)])
  return { PGlite: (main as typeof Main).PGlite, NodeFS: (disk as typeof Disk).NodeFS }
}

// So many bytes of changes leave enough behind to be worth tidying.
const MUCH = 32_000_000
// So much is written anew within a few seconds.
const SMALL = 24_000_000
const WRITTEN = `select (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::bigint as bytes`
const SIZE = 'select pg_database_size(current_database()) as bytes'

const LONGEST_TURN_MS = 20

class PgliteEngine implements Engine {
  readonly kind = 'pglite'
  readonly nodes = undefined
  readonly #pglite: PGlite
  readonly #directory: string
  readonly #release: () => Promise<void>
  #closed: Promise<void> | undefined
  /** The turn of the event loop that is under way, as far as there was work in it. */
  #turn: { since: number; over: Promise<void> } | undefined

  constructor(pglite: PGlite, { directory, release }: { directory: string; release: () => Promise<void> }) {
    this.#pglite = pglite
    this.#directory = directory
    this.#release = release
  }

  async as<T>(user: string, work: (db: Queries) => Promise<T>): Promise<T> {
    return this.#transact(identify(user), work)
  }

  async read<T>(user: string, work: (db: Queries) => Promise<T>): Promise<T> {
    return this.#transact(`set transaction read only; ${identify(user)}`, work)
  }

  asOwner<T>(work: (db: Queries) => Promise<T>): Promise<T> {
    return this.#transact(undefined, work)
  }

  async upkeep({ isThorough = false }: UpkeepOptions = {}): Promise<void> {
    const { isErased } = readNotes(this.#directory)
    const isRewriting = isErased && (isThorough || (await this.#ask(SIZE)) <= SMALL)
    if (isRewriting) {
      // Statistics first: they hold samples of what was there. A plain VACUUM frees the place of a row, not its bytes.
      await this.#pglite.exec('analyze')
      await this.#pglite.exec('vacuum full')
    } else await this.#pglite.exec('vacuum (analyze)')
    // What was erased stands in the log of writes as well, which ends at the next checkpoint behind a new file.
    if (isErased) await this.#pglite.exec('select pg_switch_wal()')
    await this.#pglite.exec('checkpoint')
    writeNotes(this.#directory, { written: await this.#ask(WRITTEN), isErased: isErased && !isRewriting })
  }

  async upkeepDue(): Promise<Upkeep> {
    const { written, isErased } = readNotes(this.#directory)
    if ((await this.#ask(WRITTEN)) - written > MUCH) return 'due'
    if (!isErased) return 'none'
    return (await this.#ask(SIZE)) <= SMALL ? 'due' : 'erased'
  }

  noteErasing(): void {
    const notes = readNotes(this.#directory)
    if (!notes.isErased) writeNotes(this.#directory, { ...notes, isErased: true })
  }

  async #ask(sql: string): Promise<number> {
    const { rows } = await this.#pglite.query<{ bytes: number }>(sql)
    return rows[0]?.bytes ?? 0
  }

  close(): Promise<void> {
    this.#closed ??= this.#close()
    return this.#closed
  }

  async #close(): Promise<void> {
    try {
      await this.#pglite.close()
    } finally {
      await this.#release()
    }
  }

  // It computes in this very thread and answers by promises alone: while there is always more to do, no timer would fire
  // and no socket be read.
  #leaveRoom(): Promise<void> | undefined {
    if (this.#turn && performance.now() - this.#turn.since > LONGEST_TURN_MS) return this.#turn.over
    this.#turn ??= {
      since: performance.now(),
      over: new Promise((resolve) => {
        setImmediate(() => {
          this.#turn = undefined
          resolve()
        })
      }),
    }
    return undefined
  }

  // A second transaction waits: PGlite has one session, and a query beside an open transaction would become part of it.
  async #transact<T>(opening: string | undefined, work: (db: Queries) => Promise<T>): Promise<T> {
    await this.#leaveRoom()
    return this.#pglite.transaction(async (transaction) => {
      if (opening !== undefined) await transaction.exec(opening)
      return work({
        async query<Row extends object>(sql: string, params?: readonly unknown[]) {
          if (params === undefined) return (await transaction.exec(sql)).at(-1)?.rows as Row[]
          return (await transaction.query<Row>(sql, [...params])).rows
        },
      })
    })
  }
}
