import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Json, Tool, ToolContext } from '@maru/protocol'
import { createTools } from '@maru/tools'
import { judge, type Verdict } from './claim.ts'
import { makeTree, WORDS } from './search/make-tree.ts'
import { sideBySide, type Variant } from './side-by-side.ts'

const QUESTIONS: { name: string; args: Json; plain: string[] }[] = [
  { name: 'a rare word', args: { query: WORDS.rare }, plain: ['--fixed-strings', WORDS.rare] },
  { name: 'a word of nearly every file', args: { query: WORDS.common }, plain: ['--fixed-strings', WORDS.common] },
  { name: 'a Korean word', args: { query: WORDS.korean }, plain: ['--fixed-strings', WORDS.korean] },
  { name: 'a regex', args: { query: WORDS.regex, regex: true }, plain: [WORDS.regex] },
]

/**
 * What SearchText and ListFiles cost beside plain ripgrep with the same question, started by this process as well, whose
 * output nobody reads. `MARU_BENCH_FILES` makes a smaller tree, of which the fixed costs are a larger part.
 */
export async function benchSearch(root: string): Promise<Verdict[]> {
  const files = Number(process.env['MARU_BENCH_FILES'] ?? 100_000)
  const program = ripgrepOf(root)
  const directory = await mkdtemp(join(tmpdir(), 'maru-bench-'))
  const tools = createTools({ root: directory, environment: {} })
  try {
    makeTree(directory, files)
    const plain = (name: string, ...args: string[]): Variant => ({
      name,
      command: [program, '--no-config', '--hidden', '--glob=!.git', '--no-require-git', ...args, directory],
    })
    const verdicts: Verdict[] = []
    for (const { name, args, plain: question } of QUESTIONS) {
      const variants = [plain('rg', '--line-number', ...question), call(tools.list(), 'SearchText', args)]
      verdicts.push(await compare(variants, `${files} files, ${name}: searched in little more than ripgrep's time`))
    }
    const variants = [plain('rg --files', '--files'), call(tools.list(), 'ListFiles', {})]
    verdicts.push(await compare(variants, `${files} files: listed in little more than ripgrep's time`))
    return verdicts
  } finally {
    await tools.close()
    await rm(directory, { recursive: true })
  }
}

// The program of the package, which is the one that the tools use.
function ripgrepOf(root: string): string {
  const { resolve } = createRequire(join(root, 'packages/tools/package.json'))
  return resolve(`@vscode/ripgrep-${process.platform}-${process.arch}/bin/rg`)
}

function call(tools: readonly Tool[], name: string, args: Json): Variant {
  const tool = tools.find(({ spec }) => spec.name === name)
  if (tool === undefined) throw new Error(`no tool ${name}`)
  const context: ToolContext = {
    callId: 'bench',
    signal: new AbortController().signal,
    progress() {},
    ask: async () => ({ kind: 'cancel' }),
    keep: () => Promise.reject(new Error('nothing is kept here')),
    kept: async () => undefined,
  }
  return {
    name,
    async run() {
      const result = await (await tool.prepare(args, context)).run(context)
      if (!result.ok || !result.stdout) throw new Error(`${name} found nothing; a bench times only what works`)
    },
  }
}

async function compare([plain, ours]: Variant[], text: string): Promise<Verdict> {
  if (!plain || !ours) throw new Error('two variants are compared')
  const timings = await sideBySide([plain, ours], { rounds: 15 })
  return judge(timings, { text, of: ours.name, against: plain.name, atMost: 1.25 })
}
