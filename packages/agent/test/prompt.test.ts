import { expect, test } from 'vitest'
import { systemPrompt } from '../src/index.ts'

test('the system prompt is short, for it goes with every request', () => {
  expect(systemPrompt({ root: '/repo' }).length).toBeLessThan(1_500)
})

test('it tells the model to ask when unsure, to confirm before danger and to offer options', () => {
  const prompt = systemPrompt({ root: '/repo', instructions: 'Use tabs.' })
  for (const words of ['/repo', 'AskUser', 'offer options', 'confirm', 'Only a tool', 'Use tabs.'])
    expect(prompt).toContain(words)
})
