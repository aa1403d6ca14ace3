import type { Change, DiffHunk } from './make-change.ts'
import type { Random } from './random.ts'

/** A patch as a model might have written it, for files that may have changed since. */
export interface Damaged {
  readonly patch: string
  readonly before: string
  readonly after: string
  /** What may come of it: the text afterwards, or a refusal. */
  readonly accept: readonly ('after' | 'refusal')[]
}

type Damage = (change: Change, random: Random) => Partial<Damaged> | undefined

/** How patches go wrong, by name: the ways of the patches corpus, and some more. */
export const DAMAGES: Record<string, Damage> = {
  clean: (change) => ({ patch: render(change) }),
  'wrong-numbers': (change, random) => {
    const by = () => random.below(300) - 150
    const moved = mapHunks(change, (hunk) => {
      const start = Math.max(1, hunk.oldStart + by())
      return { ...hunk, oldStart: start, newStart: start + hunk.newStart - hunk.oldStart }
    })
    return { patch: render(moved) }
  },
  'wrong-counts': (change, random) => {
    const off = (count: number) => Math.max(1, count + random.pick([-3, -2, -1, 1, 2, 3]))
    return {
      patch: render(
        mapHunks(change, (hunk) => ({ ...hunk, oldCount: off(hunk.oldCount), newCount: off(hunk.newCount) })),
      ),
    }
  },
  'no-numbers': (change, random) => ({ patch: render(change, { header: random.pick(['@@ ... @@', '@@ @@', '@@']) }) }),
  'context-trimmed': (change) => ({ patch: render(mapLines(change, (lines) => trimContext(lines, 1))) }),
  'context-removed': (change) => ({ patch: render(mapLines(change, (lines) => trimContext(lines, 0))) }),
  'context-line-missing': (change, random) => ({
    patch: render(mapLines(change, (lines) => dropOne(lines, random))),
  }),
  ellipsis: (change) => ({
    patch: render(
      mapLines(change, (lines) => (/^ .*\n /.test(`${lines[0]}\n${lines[1]}`) ? [' ...', ...lines.slice(2)] : lines)),
    ),
  }),
  'trailing-space': (change, random) => ({
    patch: render(
      mapLines(change, (lines) => lines.map((line) => (isOld(line) && random.chance(0.3) ? `${line} ` : line))),
    ),
  }),
  'signs-lost': (change) => ({
    patch: render(mapLines(change, (lines) => lines.map((line) => (line.startsWith(' ') ? line.slice(1) : line)))),
  }),
  'indent-context': (change) => drift(change, isOld),
  'indent-all': (change) => drift(change, () => true),
  'crlf-file': (change) => ({
    patch: render(change),
    before: change.before.replaceAll('\n', '\r\n'),
    after: change.after.replaceAll('\n', '\r\n'),
  }),
  'crlf-patch': (change) => ({ patch: render(change).replaceAll('\n', '\r\n') }),
  'curly-quotes': (change) => ({
    patch: render(
      mapLines(change, (lines) =>
        lines.map((line) => (isOld(line) ? line.replaceAll('"', '\u201d').replaceAll("'", '\u2019') : line)),
      ),
    ),
  }),
  'file-moved': (change, random) => {
    const more = Array.from({ length: 1 + random.below(50) }, (_, n) => `// unrelated ${n}\n`).join('')
    return { patch: render(change), before: more + change.before, after: more + change.after }
  },
  'context-edited': (change) => {
    const first = change.hunks[0]?.lines[0]
    if (!first?.startsWith(' ') || first.length < 4) return undefined
    const edit = (text: string) => text.replace(`\n${first.slice(1)}\n`, () => `\n${first.slice(1)} /* edited */\n`)
    const isOnce = (text: string) => text.split('\n').filter((line) => line === first.slice(1)).length === 1
    if (!isOnce(change.before) || !isOnce(change.after)) return undefined
    return { patch: render(change), before: edit(change.before), after: edit(change.after) }
  },
  applied: (change) => ({ patch: render(change), before: change.after, accept: ['after', 'refusal'] }),
  truncated: (change, random) => {
    const last = change.hunks.at(-1)
    const lastChange = last?.lines.findLastIndex((line) => !line.startsWith(' ')) ?? 0
    if (!last || lastChange < 1 || last.lines.some((line) => line.startsWith('\\'))) return undefined
    const cut = { ...last, lines: last.lines.slice(0, 1 + random.below(lastChange)) }
    return { patch: render({ ...change, hunks: [...change.hunks.slice(0, -1), cut] }), accept: ['refusal'] }
  },
  'twice-first': (change) => ({
    patch: render(change),
    before: change.before + change.before,
    after: change.after + change.before,
  }),
  'twice-near': (change, random) => {
    const rows = change.before.split('\n').length - 1 + 3 + random.below(9)
    const near = mapHunks(change, (hunk) => ({
      ...hunk,
      oldStart: hunk.oldStart + rows,
      newStart: hunk.newStart + rows,
    }))
    return {
      patch: render(near),
      before: change.before + change.before,
      after: change.before + change.after,
      accept: ['after', 'refusal'],
    }
  },
  'twice-no-numbers': (change) => ({
    patch: render(change, { header: '@@ @@' }),
    before: change.before + change.before,
    accept: ['refusal'],
  }),
  fence: (change) => ({ patch: `Here is the patch:\n\n\`\`\`diff\n${render(change)}\`\`\`\n\nThat is all.\n` }),
  prose: (change) => ({ patch: `${render(change)}\nThe change above fixes the problem.\n` }),
  'no-prefix': (change) => ({ patch: render(change).replace('--- a/', '--- ').replace('+++ b/', '+++ ') }),
  envelope: (change) => ({
    patch: `*** Begin Patch\n*** Update File: ${change.path}\n${bodies(change, '@@')}*** End Patch\n`,
  }),
  'blank-context': (change) => ({ patch: render(change).replaceAll('\n \n', '\n\n').replaceAll('\n \n', '\n\n') }),
  reordered: (change) =>
    change.hunks.length < 2 ? undefined : { patch: render({ ...change, hunks: change.hunks.toReversed() }) },
  'no-newline': (change) => {
    if (!change.before.endsWith('\n') || !change.after.endsWith('\n')) return undefined
    return { patch: render(change), before: change.before.slice(0, -1), after: change.after.slice(0, -1) }
  },
  blocks: (change) => ({ patch: blocks(change) }),
}

/** Damages a change in one way, or not at all where that way does not apply to it. */
export function damage(kind: string, change: Change, random: Random): Damaged | undefined {
  const damaged = DAMAGES[kind]?.(change, random)
  if (damaged?.patch === undefined) return undefined
  const { before, after } = change
  return { before, after, accept: ['after'], ...damaged, patch: damaged.patch }
}

function isOld(line: string): boolean {
  return !line.startsWith('+')
}

function mapHunks(change: Change, map: (hunk: DiffHunk) => DiffHunk): Change {
  return { ...change, hunks: change.hunks.map(map) }
}

function mapLines(change: Change, map: (lines: string[]) => string[]): Change {
  return mapHunks(change, (hunk) => ({ ...hunk, lines: map(hunk.lines) }))
}

/** The change as a unified diff; with a header of its own, without numbers. */
export function render(change: Change, { header }: { header?: string } = {}): string {
  return `--- a/${change.path}\n+++ b/${change.path}\n${bodies(change, header)}`
}

function bodies({ hunks }: Change, header?: string): string {
  const head = ({ oldStart, oldCount, newStart, newCount }: DiffHunk) =>
    header ?? `@@ -${oldStart},${oldCount} +${newStart},${newCount} @@`
  return hunks.map((hunk) => `${[head(hunk), ...hunk.lines].join('\n')}\n`).join('')
}

function blocks({ path, hunks }: Change): string {
  const side = ({ lines }: DiffHunk, signs: string) =>
    lines
      .filter((line) => signs.includes(line[0] ?? ''))
      .map((line) => `${line.slice(1)}\n`)
      .join('')
  return hunks
    .map((hunk) => `${path}\n<<<<<<< SEARCH\n${side(hunk, ' -')}=======\n${side(hunk, ' +')}>>>>>>> REPLACE\n`)
    .join('\n')
}

function trimContext(lines: readonly string[], keep: number): string[] {
  const isChange = (line: string) => /^[+-]/.test(line)
  const first = lines.findIndex(isChange)
  const last = lines.findLastIndex(isChange)
  return lines.slice(Math.max(0, first - keep), last + 1 + keep)
}

function dropOne(lines: readonly string[], random: Random): string[] {
  const context = lines.flatMap((line, at) => (line.startsWith(' ') ? [at] : []))
  return context.length < 2 ? [...lines] : lines.toSpliced(random.pick(context), 1)
}

function drift(change: Change, applies: (line: string) => boolean): Partial<Damaged> | undefined {
  const isTabbed = /^\t/m.test(change.before)
  // Where a file has both, what becomes of either depends on the lines around it.
  if (isTabbed && /^ {2,}\S/m.test(change.before)) return undefined
  const drifted = mapLines(change, (lines) =>
    lines.map((line) => {
      const [, sign = '', blanks = '', rest = ''] = /^([ +-])(\s*)(.*)$/.exec(line) ?? []
      if (sign === '' || !applies(line)) return line
      return sign + (isTabbed ? blanks.replaceAll('\t', '  ') : blanks.replaceAll('  ', '\t')) + rest
    }),
  )
  return render(drifted) === render(change) ? undefined : { patch: render(drifted) }
}
