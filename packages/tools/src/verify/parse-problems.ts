import { type Output, placeOf, tame } from './report.ts'

/** What a linter or a type checker found. */
export interface CodeProblem {
  readonly isError: boolean
  readonly file?: string
  readonly line?: number
  readonly message: string
}

/** Reads what linters and type checkers print, in any of their forms; each problem once. */
export function parseProblems(output: Output): CodeProblem[] {
  const json = parseEslintJson(output.stdout)
  if (json !== undefined) return json
  const { stdout, stderr } = tame(output)
  const found = [...readLines(stdout), ...readLines(stderr)]
  return [...new Map(found.map((problem) => [`${problem.file}:${problem.line}:${problem.message}`, problem])).values()]
}

interface EslintFile {
  filePath?: string
  messages?: { line?: number; severity?: number; message?: string; ruleId?: string | null }[]
}

function parseEslintJson(stdout: string): CodeProblem[] | undefined {
  const line = stdout.split('\n').find((one) => one.startsWith('[{"filePath"') || one.trim() === '[]')
  if (line === undefined) return undefined
  try {
    return (JSON.parse(line) as EslintFile[]).flatMap(({ filePath, messages = [] }) =>
      messages.map(({ line: at, severity, message = '', ruleId }) => ({
        isError: severity === 2,
        ...placeOf(filePath, at === undefined ? undefined : String(at)),
        message: ruleId ? `${message} (${ruleId})` : message,
      })),
    )
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

type Read = (match: RegExpExecArray) => {
  file?: string | undefined
  line?: string | undefined
  kind?: string | undefined
  message: string
}

const FORMS: readonly [form: RegExp, read: Read][] = [
  // tsc, msbuild: `a.ts(3,5): error TS2322: …`
  [
    /^\s*(.+?)\((\d+),\d+\): (error|warning) (.*?)(?: \[[^\]]*proj\])?$/,
    ([, file, line, kind, message = '']) => ({ file, line, kind, message }),
  ],
  // tsc for people, pyright: `a.ts:3:5 - error TS2322: …`
  [
    /^\s*(.+?):(\d+):\d+ - (error|warning)\b:? *(.*)$/,
    ([, file, line, kind, message = '']) => ({ file, line, kind, message }),
  ],
  // GitHub: `::error file=a.ts,line=3::…`
  [
    /^::(error|warning)\b(?=.*\bfile=([^,:]+))(?=.*\bline=(\d+)).*?::(.*)$/,
    ([, kind, file, line, message = '']) => ({ kind, file, line, message }),
  ],
  // Maven: `[ERROR] /a/B.java:[3,5] …`
  [
    /^\[(ERROR|WARNING)\] (\S+):\[(\d+),\d+\] (.*)$/,
    ([, kind, file, line, message = '']) => ({ kind, file, line, message }),
  ],
  // gcc, mypy, ruff, go vet, cargo in short: `a.py:3:5: error: …`
  [
    /^(?:vet: )?(?!\s|https?:)([^\s:][^:\n]*\.\w+):(\d+)(?::\d+)?: *(?:(error|warning|note)\b(?:\[\w+\])?:? *)?(.+)$/,
    ([, file, line, kind, message = '']) => ({ file, line, kind, message }),
  ],
]

// eslint for people: the file, then ` 3:5  error  …  rule` below it.
const STYLISH = /^\s+(\d+):\d+\s+(error|warning)\s+(.*?)(?:\s{2,}(\S+))?$/
// biome: `a.ts:3:5 lint/x/y ━━━`, then the message after a sign.
const BIOME = /^(\S.*?)(?::(\d+):\d+)? ((?:lint|assist|format|parse|check|organizeImports)\b\S*).* ?━{3,}$/

// oxlint, ruff in full and others: the message, then `╭─[a.ts:3:5]` below it.
const BOXED = /^\s*(?:,-|╭─+)\[(.+?):(\d+):\d+\]$/

function readLines(text: string): CodeProblem[] {
  const problems: CodeProblem[] = []
  // Package managers repeat the command first: `> eslint .`
  const lines = text.split('\n').map((line) => (/^[>$] /.test(line) ? '' : line))
  let file = ''
  for (const [at, line] of lines.entries()) {
    const stylish = STYLISH.exec(line)
    const biome = BIOME.exec(line)
    const boxed = BOXED.exec(line)
    if (stylish !== null) {
      const [, number, kind, message = '', rule] = stylish
      problems.push(problemOf({ file, line: number, kind, message: rule ? `${message} (${rule})` : message }))
    } else if (biome !== null) {
      const [, name, number, rule = ''] = biome
      const said = lines.slice(at + 1, at + 6).find((one) => /^\s*[×!ℹ✖⚠] /.test(one)) ?? ''
      const kind = /^\s*[!⚠]/.test(said) ? 'warning' : 'error'
      problems.push(problemOf({ file: name, line: number, kind, message: `${said.trim().slice(2)} (${rule})` }))
    } else if (boxed !== null) {
      const said = lines[at - 1]?.trim() ?? ''
      const kind = /^[!⚠]/.test(said) ? 'warning' : 'error'
      problems.push(problemOf({ file: boxed[1], line: boxed[2], kind, message: said.replace(/^[×!⚠x] /, '') }))
    } else {
      if (/^\S.*\.\w+$/.test(line)) file = line
      const [form, read] = FORMS.find(([one]) => one.test(line)) ?? []
      const match = form?.exec(line)
      const found = match && read?.(match)
      if (found && found.kind !== 'note') problems.push(problemOf(found))
    }
  }
  return problems
}

function problemOf({ file, line, kind, message }: ReturnType<Read>): CodeProblem {
  return { isError: !/^warning$/i.test(kind ?? ''), ...placeOf(file, line), message: message.trim() }
}
