import { spawn } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryDirectory } from '@maru/testkit'

const maru = join(import.meta.dirname, '../../packages/cli/bin/maru.cjs')

/** The built `maru` in a repository and a home of its own, talking to a scripted vendor. */
export async function createPlace(files: { [name: string]: string } = {}) {
  const { path, dispose } = await temporaryDirectory()
  const repo = join(path, 'repo')
  await mkdir(repo)
  for (const [name, text] of Object.entries(files)) await writeFile(join(repo, name), text)
  const env = {
    PATH: process.env['PATH'],
    MARU_HOME: join(path, 'home'),
    MARU_LANG: 'en',
    ANTHROPIC_API_KEY: 'test-key',
    OPENAI_API_KEY: 'test-key',
  }
  return {
    path,
    repo,
    log: join(path, 'session.jsonl'),
    dispose,
    start(args: string[], url: string, more: Record<string, string> = {}) {
      return spawn(process.execPath, [maru, ...args, '--repo', repo], {
        env: { ...env, ...more, ANTHROPIC_BASE_URL: url, OPENAI_BASE_URL: url },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
    },
    async run(args: string[], url: string, more: Record<string, string> = {}) {
      const child = this.start(args, url, more)
      const [stdout, stderr, code] = await Promise.all([
        textOf(child.stdout),
        textOf(child.stderr),
        new Promise<number | null>((resolve) => child.once('exit', resolve)),
      ])
      return { stdout, stderr, code }
    },
  }
}

async function textOf(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}
