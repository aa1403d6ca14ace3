import { startScriptedModel } from '@maru/scripted-model'

const model = await startScriptedModel({
  script: [
    { reply: [{ thinking: '파일을 봐야지' }, { call: 'ReadFile', args: { path: 'a.ts' } }] },
    { error: { status: 429, retryAfter: 1 } },
    {
      expect: { toolResult: 'export' },
      reply: [{ text: '다 봤어요.' }],
      usage: { input: 900, output: 12, cacheRead: 800 },
    },
    { reply: [{ text: 'cut off' }], fault: { afterBytes: 120, kind: 'reset' } },
  ],
  delivery: { deltaSize: 4 },
})
// … point a provider at model.url (it adds /v1/messages, /v1/responses or /v1/chat/completions), then:
if (model.problems.length > 0) throw new Error(model.problems[0]?.message)
await model.close()
