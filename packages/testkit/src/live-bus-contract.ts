import type { Live, LiveBus, OpenTurn } from '@maru/protocol'
import { describe, expect, test } from 'vitest'
import { person } from './facts.ts'

/** What every live bus promises. */
export function liveBusContract(name: string, create: () => LiveBus): void {
  describe(`${name} keeps the contract of a live bus`, () => {
    test('a late joiner gets the open turn so far, then the deltas', () => {
      const bus = create()
      const text = '안녕하세요, 마루입니다'
      const deltas = [...text].map(
        (letter, offset): Live => ({ type: 'text-delta', turnId: 't', part: 0, offset, text: letter }),
      )
      for (let joins = 0; joins <= deltas.length; joins++) {
        const fresh = create()
        for (const delta of deltas.slice(0, joins)) fresh.publish('s', delta)
        let seen = ''
        const { open } = fresh.subscribe('s', (live) => {
          if (live.type === 'text-delta') seen += live.text
        })
        for (const delta of deltas.slice(joins)) fresh.publish('s', delta)
        expect((open.parts[0] ?? '') + seen).toBe(text)
      }
      expect(bus.subscribe('s', () => undefined).open).toEqual<OpenTurn>({ parts: [], progress: {} })
    })

    test('a delta that comes twice is kept once', () => {
      const bus = create()
      const delta: Live = { type: 'text-delta', turnId: 't', part: 1, offset: 0, text: 'abc' }
      bus.publish('s', delta)
      bus.publish('s', delta)
      expect(bus.subscribe('s', () => undefined).open).toMatchObject({ turnId: 't', parts: ['', 'abc'] })
    })

    test('what became a fact is no longer open', () => {
      const bus = create()
      bus.publish('s', { type: 'text-delta', turnId: 't', part: 0, offset: 0, text: 'abc' })
      bus.publish('s', { type: 'tool-progress', callId: 'c', offset: 0, text: 'out' })
      bus.settle('s', { turnId: 'another' })
      expect(bus.subscribe('s', () => undefined).open.parts).toEqual(['abc'])
      bus.settle('s', { turnId: 't' })
      bus.settle('s', { callId: 'c' })
      expect(bus.subscribe('s', () => undefined).open).toEqual({ parts: [], progress: {} })
    })

    test('of a long output the end is kept, with its place', () => {
      const bus = create()
      let offset = 0
      for (let n = 0; n < 300; n++) {
        const text = `${n} `.padEnd(1000, 'x')
        bus.publish('s', { type: 'tool-progress', callId: 'c', offset, text })
        offset += text.length
      }
      const kept = bus.subscribe('s', () => undefined).open.progress['c']
      expect((kept?.offset ?? 0) + (kept?.text.length ?? 0)).toBe(offset)
      expect(kept?.text.length).toBeLessThanOrEqual(64 * 1024)
      expect(kept?.text.endsWith('299 '.padEnd(1000, 'x'))).toBe(true)
    })

    test('sessions do not hear each other, and who has left hears nothing', () => {
      const bus = create()
      const heard: string[] = []
      const one = bus.subscribe('one', () => heard.push('one'))
      bus.subscribe('two', () => heard.push('two'))
      const presence: Live = { type: 'presence', by: person, state: 'typing' }
      bus.publish('one', presence)
      one.close()
      one.close()
      bus.publish('one', presence)
      bus.publish('two', presence)
      expect(heard).toEqual(['one', 'two'])
      expect(bus.subscribe('one', () => undefined).open).toEqual({ parts: [], progress: {} })
    })
  })
}
