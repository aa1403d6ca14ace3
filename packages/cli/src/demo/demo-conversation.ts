import { createTranslator } from '@maru/i18n'
import type { Fact } from '@maru/protocol'
import type { OwnHistory } from '@maru/store'

const ID = 'demo'
const STEP_MS = 20_000

/** Puts a conversation into a history that has none, so that there is something to look at, search and export. */
export async function loadDemoConversation(own: OwnHistory, now: number): Promise<boolean> {
  for await (const _ of own.log.list()) return false
  const facts = demoFacts()
  const at = (n: number) => now - (facts.length - n) * STEP_MS
  await own.add(ID, {
    start: { start: { agent: { kind: 'maru' }, door: 'import' }, at: at(0) },
    facts: facts.map((fact, n) => ({ fact, at: at(n + 1) })),
  })
  return true
}

// In both languages, whichever the reader's is: one of the things that it shows is the search.
function demoFacts(): Fact[] {
  const ko = createTranslator('ko')
  const en = createTranslator('en')
  const said: [role: 'user' | 'assistant', text: string][] = [
    ['user', ko('serve.demo.ask-what')],
    ['assistant', ko('serve.demo.what')],
    ['user', ko('serve.demo.ask-search')],
    ['assistant', ko('serve.demo.search')],
    ['user', en('serve.demo.ask-what')],
    ['assistant', en('serve.demo.what')],
    ['user', en('serve.demo.ask-search')],
    ['assistant', en('serve.demo.search')],
  ]
  const by = { kind: 'system', id: 'demo', door: 'import' } as const
  return [
    { type: 'title-set', key: 'demo title', by, title: `${ko('serve.demo.title')} · ${en('serve.demo.title')}` },
    ...said.map(([role, text], n): Fact => {
      return { type: 'message-add', key: `demo ${n}`, by, role, parts: [{ type: 'text', text }] }
    }),
  ]
}
