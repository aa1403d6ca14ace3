// The example of the README, so that the type check reads it.
import { createProvider, defaultModelOf } from '../src/index.ts'

const provider = createProvider({ vendor: 'anthropic', key: process.env['ANTHROPIC_API_KEY'] ?? '' })
const request = {
  model: defaultModelOf('anthropic') ?? '',
  system: 'You are brief.',
  tools: [],
  messages: [{ role: 'user' as const, parts: [{ type: 'text' as const, text: '안녕?' }] }],
  params: { effort: 'low' },
}
for await (const event of provider.stream(request, new AbortController().signal)) {
  if (event.type === 'text-delta') process.stdout.write(event.text)
  if (event.type === 'failure') console.error(event.failure.code, event.failure.message)
}
