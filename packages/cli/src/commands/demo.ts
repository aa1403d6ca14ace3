import { join } from 'node:path'
import { defineCommand, type Invocation } from '../command.ts'
import { loadConfig } from '../config/load-config.ts'
import { MENDED, makeSampleRepository } from '../demo/sample-repository.ts'
import type { ExitCode } from '../exit-code.ts'
import { verifyLog } from '../replay/verify-log.ts'
import { exitOf, startWork } from '../session/work-on.ts'

/** The real engine in a throw-away repository. Only the model's words are scripted, by a server on this machine. */
export const demo = defineCommand({
  usage: ['demo'],
  details: 'demo.details',
  options: {},
  positionals: [],
  async run(invocation): Promise<ExitCode> {
    const { notice, style, t } = invocation
    const { startScriptedModel } = await import('@maru/scripted-model')
    const model = await startScriptedModel({ script: script(invocation), delivery: { deltaSize: 4, deltaDelayMs: 12 } })
    try {
      const { home, repo } = await makeSampleRepository()
      await notice(`${style.bold(t('demo.title'))}\n${style.dim(t('demo.scripted', { repo }))}\n`)
      await notice(style.bold(`› ${t('demo.input')}\n`))
      const session = join(home, 'tour.jsonl')
      const place = await inSample(invocation, { home, repo, url: model.url })
      const work = await startWork(place, { hasTools: true, session })
      const ended = await work.say(t('demo.input'))
      await work.close()
      const verified = await verifyLog(session)
      if ('requests' in verified) await notice(`\n${style.dim(t('replay.verified', verified))}`)
      await notice(`\n${t('demo.next')}\n  maru replay ${session}\n  maru run "…" --repo ${repo}`)
      return await exitOf(invocation, ended)
    } finally {
      await model.close()
    }
  },
})

// The tour uses nobody's key and nobody's settings.
async function inSample(invocation: Invocation, { home, repo, url }: { home: string; repo: string; url: string }) {
  const { t, env } = invocation
  const sample = { PATH: env['PATH'], ANTHROPIC_API_KEY: 'demo', ANTHROPIC_BASE_URL: url }
  const flags = { provider: 'anthropic', model: 'scripted', yes: true }
  const config = await loadConfig({ home, repo, env: sample, flags, t })
  return { ...invocation, env: sample, home, repo: () => repo, config: async () => config }
}

function script({ t }: Invocation) {
  const test = { call: 'RunCommand', args: { command: 'node --test' } }
  const read = (path: string) => ({ call: 'ReadFile', args: { path } })
  return [
    { reply: [{ text: t('demo.look') }, read('sum.mjs'), read('sum.test.mjs'), test] },
    { reply: [{ text: t('demo.mend') }, { call: 'WriteFile', args: { path: 'sum.mjs', content: MENDED } }, test] },
    { reply: [{ text: t('demo.fixed') }] },
  ]
}
