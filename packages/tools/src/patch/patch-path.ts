const LONGEST = 4_096

/** What is wrong with a path in a patch, by its words alone; links are the workspace's to find. */
export function problemOf(path: string): string | undefined {
  if (path === '') return 'is empty'
  if (path.length > LONGEST) return 'is too long'
  if (path.includes('\0')) return 'holds a NUL'
  if (/[\n\r]/.test(path)) return 'holds a line break'
  if (/^(?:[\\/~]|[a-z]:)/i.test(path)) return 'is absolute'
  const names = path.split(/[\\/]/)
  if (names.includes('..')) return 'climbs with ".."'
  if (names.at(-1) === '' || names.at(-1) === '.') return 'names a directory'
  return undefined
}

/** The same path in one spelling: `./src//a.ts` is `src/a.ts`. */
export function tidyPath(path: string): string {
  return path
    .split('/')
    .filter((name) => name !== '' && name !== '.')
    .join('/')
}

/** A name as git writes it behind `---`: quoted where it has to be, and perhaps followed by a time. */
export function readName(written: string): string {
  // What is longer is refused anyway, and must not cost anything before.
  const short = written.slice(0, 2 * LONGEST)
  if (short.startsWith('"')) return unquote(short)
  const [name = ''] = short.split('\t')
  const time = name.search(/(?<=\s)\d{4}-\d\d-\d\d[ T]\d\d:\d\d/)
  return (time < 0 ? name : name.slice(0, time)).trimEnd()
}

const ESCAPES: Record<string, string> = { n: '\n', t: '\t', r: '\r', a: '\x07', b: '\b', f: '\f', v: '\v' }

// Octal escapes are bytes, of which several make a letter.
function unquote(quoted: string): string {
  const bytes: number[] = []
  const encoder = new TextEncoder()
  const signs = /\\([0-3][0-7]{2})|\\(.)|([^"\\]+)|(")/gsy
  signs.lastIndex = 1
  for (let sign = signs.exec(quoted); sign && sign[4] === undefined; sign = signs.exec(quoted)) {
    const [, octal, escaped, plain] = sign
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8))
    else bytes.push(...encoder.encode(plain ?? ESCAPES[escaped ?? ''] ?? escaped))
  }
  return new TextDecoder().decode(Uint8Array.from(bytes))
}

/** Those of the paths that are most like this one, best first. */
export function closestPaths(path: string, existing: readonly string[], count = 3): string[] {
  const scored = existing.slice(0, 5_000).map((candidate) => ({ candidate, score: likeness(path, candidate) }))
  return scored
    .filter(({ score }) => score > 0.4)
    .sort((a, b) => b.score - a.score)
    .slice(0, count)
    .map(({ candidate }) => candidate)
}

// Names at the end count most: a model forgets or invents folders more often than file names.
function likeness(wanted: string, candidate: string): number {
  const name = (path: string) => path.slice(path.lastIndexOf('/') + 1)
  return 0.7 * pairsInCommon(name(wanted), name(candidate)) + 0.3 * pairsInCommon(wanted, candidate)
}

function pairsInCommon(a: string, b: string): number {
  if (a === b) return 1
  const pairs = new Map<string, number>()
  const left = a.toLowerCase().slice(0, 500)
  const right = b.toLowerCase().slice(0, 500)
  for (let at = 0; at + 1 < left.length; at++) {
    const pair = left.slice(at, at + 2)
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1)
  }
  let common = 0
  for (let at = 0; at + 1 < right.length; at++) {
    const pair = right.slice(at, at + 2)
    const left = pairs.get(pair) ?? 0
    if (left > 0) {
      pairs.set(pair, left - 1)
      common++
    }
  }
  const total = left.length + right.length - 2
  return total <= 0 ? 0 : (2 * common) / total
}
