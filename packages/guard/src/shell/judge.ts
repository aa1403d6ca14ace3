import { forEachChild, type ParsedScript, parse, type SyntaxNode } from 'unbash'
import { checkText } from './check-text.ts'
import { type Context, deeper } from './context.ts'
import { addDoubt, type Branch, createFindings } from './findings.ts'
import { foldOutput } from './fold-output.ts'
import { judgeForeignLine } from './foreign-shells.ts'
import { judgeWords } from './judge-words.ts'
import type { Judgement } from './judgement.ts'
import { type CommandPlace, resolvePath } from './place.ts'
import { exact, fork, type Scope } from './scope.ts'
import { walkBody, walkStatements } from './walk.ts'
import { tellWhy } from './why.ts'
import { expandQuoted, expandWhole, expandWord } from './words.ts'

/** Judges a line for `bash --noprofile --norc -c`. Pure and total; what is not understood is never proven harmless. */
export function judgeLine(line: string, at: CommandPlace): Judgement {
  const place = settle(at)
  const { shell = 'bash' } = place
  const context = createContext(place)
  checkText(line, context)
  if (shell !== 'bash' && shell !== 'sh') judgeForeignLine(line, shell, context)
  if (!['cmd', 'powershell', 'pwsh'].includes(shell)) {
    const script = parse(line)
    context.script(script, startScope(place))
    if (script.errors?.length) probePieces(line, context)
    else if (/\S[ \t]*\(/.test(line) && script.commands.some((node) => losesBracket(node, line)))
      context.doubt('syntax', '(')
  }
  return conclude(context)
}

/** Judges a program and its arguments that are run without a shell. */
export function judgeArguments(program: string, argv: readonly string[], at: CommandPlace): Judgement {
  const place = settle(at)
  const context = createContext(place)
  checkText([program, ...argv].join('\n'), context)
  context.words([exact(program), ...argv.map(exact)], { scope: startScope(place), input: { kind: 'none' } })
  return conclude(context)
}

// Where links are followed, the place itself is where its links lead.
function settle(place: CommandPlace): CommandPlace {
  if (!place.readLink) return place
  const real = (path: string) => resolvePath('/', path, place)
  const { extraRoots = [] } = place
  return { ...place, root: real(place.root), cwd: real(place.cwd), extraRoots: extraRoots.map(real) }
}

// Behind the name of a command the parser passes over a bracket with which bash would refuse the whole line.
function losesBracket(node: SyntaxNode, line: string): boolean {
  if (node.type === 'Command' && node.name) {
    const { pos, end, text } = node.name
    if (line.slice(pos, end) === text && /^[ \t]*\(/.test(line.slice(end))) return true
  }
  let isLost = false
  forEachChild(node, (child) => {
    isLost ||= losesBracket(child, line)
  })
  return isLost
}

// A line that cannot be parsed may still run in part. Pieces of text only refuse.
function probePieces(line: string, context: Context): void {
  for (const piece of line.split(/[;&|\n]+/).slice(0, MAX_PIECES)) {
    const grave = context.probe(piece)
    if (grave) addDoubt(context.findings, grave.why, grave.proven)
  }
}

const MAX_PIECES = 50

function conclude({ findings, branch }: Context): Judgement {
  // Each alone may be asked about; together they carry a secret out of the house.
  if (findings.reached > 0 && findings.secrets > 0) {
    addDoubt(findings, { code: 'exfiltration', program: 'bash', what: 'what may hold secrets' }, 'hostile')
  }
  const { why } = findings.worst
  const { accesses, usesGit } = findings
  return { accesses, tree: branch, reason: why ? tellWhy(why) : '', usesGit }
}

function startScope({ cwd }: CommandPlace): Scope {
  const [variables, functions] = [new Map(), new Map()]
  return { cwd, elsewhere: [], variables, functions, positional: undefined, isStraight: true }
}

function createContext(place: CommandPlace, depth = 0): Context {
  const findings = createFindings()
  const branch: Branch[] = []
  const context: Context = {
    place,
    findings,
    branch,
    depth,
    calling: [],
    isForked: false,
    substituted: 0,
    home: place.home ?? homeOf(place),
    doubt: (code, what) => addDoubt(findings, { code, program: 'bash', what }),
    fields: (word, scope) => expandWord(word, scope, context),
    whole: (word, scope) => expandWhole(word, scope, context),
    quoted: (parts, scope) => expandQuoted(parts, scope, context),
    words: (words, around) => judgeWords(words, around, context),
    body: (node, scope) => walkBody(node, scope, context),
    probe: (text) => probe(text, place, context.depth + 1),
    substitute: (script, scope) => substitute(script, scope, context),
    script(script, scope) {
      for (const { message } of script.errors ?? []) context.doubt('syntax', message)
      walkStatements(script.commands, scope, context)
    },
  }
  return context
}

function substitute(script: ParsedScript | undefined, scope: Scope, context: Context) {
  if (script === undefined) return {}
  const { findings } = context
  const { reached, decoded } = findings
  context.substituted++
  deeper(context, () => context.script(script, fork(scope)))
  context.substituted--
  const text = foldOutput(script, scope, context)
  const source = findings.reached > reached ? 'network' : findings.decoded > decoded ? 'decoder' : 'command'
  return { ...(text !== undefined && { text }), source } as const
}

// In a world of its own: only what is grave is told.
function probe(text: string, place: CommandPlace, depth: number): ReturnType<Context['probe']> {
  const context = createContext(place, depth)
  if (depth > MAX_PROBES) return undefined
  context.script(parse(text), startScope(place))
  const { proven, why } = context.findings.worst
  return why && (proven === 'hostile' || proven === 'catastrophe') ? { proven, why } : undefined
}

const MAX_PROBES = 6

function homeOf({ cwd, root }: CommandPlace): string {
  const [, home] =
    /^(\/(?:home|Users)\/[^/]+)(?:\/|$)/.exec(root) ?? /^(\/(?:home|Users)\/[^/]+)(?:\/|$)/.exec(cwd) ?? []
  return home ?? '/home/u'
}
