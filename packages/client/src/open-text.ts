import type { Live, OpenTurn } from '@maru/protocol'
import { addPiece, type Piece } from './pieces.ts'

/** A turn that the model is at: the beginning of each of its parts, as far as it is known without a gap. */
export interface OpenText {
  turnId: string
  parts: string[]
}

/** What a running call has printed. Of a long output only the end is known, and where it begins. */
export interface RunningOutput extends Piece {
  callId: string
}

/** The text of turns and calls under way, whatever the order in which it is heard of. */
export interface OpenTexts {
  hear(live: Extract<Live, { type: 'text-delta' | 'tool-progress' }>): void
  /** What is open according to the server; whatever else was heard of shows again only when more of it comes. */
  meet(open: OpenTurn): void
  endTurn(turnId: string): void
  endCall(callId: string): void
  /** Nothing is under way any more. */
  endAll(): void
  turns(): OpenText[]
  outputs(): RunningOutput[]
}

const OUTPUT_KEPT = 64 * 1024
const ENDED_KEPT = 64

interface Turn {
  parts: Piece[][]
  isShown: boolean
}

interface Call {
  pieces: Piece[]
  isShown: boolean
}

export function createOpenTexts(): OpenTexts {
  const turns = new Map<string, Turn>()
  const calls = new Map<string, Call>()
  // What is told of these comes too late: it stands in their facts.
  const ended = new Set<string>()

  const turnOf = (turnId: string): Turn => getOrAdd(turns, turnId, () => ({ parts: [], isShown: true }))
  const callOf = (callId: string): Call => getOrAdd(calls, callId, () => ({ pieces: [], isShown: true }))
  const addOutput = (callId: string, piece: Piece) => {
    const call = callOf(callId)
    call.isShown = true
    addPiece(call.pieces, piece)
    const last = call.pieces.at(-1)
    // Cut now and then: to cut with each piece would copy all of it each time.
    if (last && last.text.length > 2 * OUTPUT_KEPT) call.pieces.splice(0, call.pieces.length, tailOf(last))
  }
  const end = (name: string) => {
    ended.add(name)
    for (const oldest of ended) if (ended.size > ENDED_KEPT) ended.delete(oldest)
  }

  return {
    hear(live) {
      if (live.type === 'tool-progress') {
        if (!ended.has(callName(live.callId))) addOutput(live.callId, live)
      } else if (!ended.has(turnName(live.turnId))) {
        const turn = turnOf(live.turnId)
        turn.isShown = true
        addPiece(partOf(turn, live.part), live)
      }
    },
    meet(open) {
      for (const [turnId, turn] of turns) turn.isShown &&= turnId === open.turnId
      for (const [callId, call] of calls) call.isShown &&= Object.hasOwn(open.progress, callId)
      if (open.turnId !== undefined && !ended.has(turnName(open.turnId))) {
        const turn = turnOf(open.turnId)
        turn.isShown = true
        for (const [at, text] of open.parts.entries()) meetText(partOf(turn, at), text)
      }
      for (const [callId, piece] of Object.entries(open.progress)) {
        if (!ended.has(callName(callId))) addOutput(callId, piece)
      }
    },
    endTurn(turnId) {
      turns.delete(turnId)
      end(turnName(turnId))
    },
    endCall(callId) {
      calls.delete(callId)
      end(callName(callId))
    },
    endAll() {
      turns.clear()
      calls.clear()
    },
    turns: () =>
      [...turns].flatMap(([turnId, { parts, isShown }]) => (isShown ? [{ turnId, parts: parts.map(beginning) }] : [])),
    outputs: () =>
      [...calls].flatMap(([callId, { pieces, isShown }]) => {
        const last = pieces.at(-1)
        return isShown && last ? [{ callId, ...tailOf(last) }] : []
      }),
  }
}

// What the server says is so. What we know beyond it stays, if it begins the same.
function meetText(pieces: Piece[], text: string): void {
  const [first] = pieces
  if (first?.offset === 0 && !text.startsWith(first.text) && !first.text.startsWith(text)) {
    const behind = pieces.filter(({ offset }) => offset > text.length)
    pieces.splice(0, pieces.length, ...behind)
  }
  if (text !== '') addPiece(pieces, { offset: 0, text })
}

function tailOf({ offset, text }: Piece): Piece {
  const cut = Math.max(0, text.length - OUTPUT_KEPT)
  return { offset: offset + cut, text: text.slice(cut) }
}

function partOf(turn: Turn, at: number): Piece[] {
  while (turn.parts.length <= at) turn.parts.push([])
  return turn.parts[at] as Piece[]
}

function beginning([first]: Piece[]): string {
  return first && first.offset === 0 ? first.text : ''
}

function getOrAdd<K, V>(map: Map<K, V>, key: K, create: () => V): V {
  const value = map.get(key) ?? create()
  map.set(key, value)
  return value
}

const turnName = (turnId: string) => `turn ${turnId}`
const callName = (callId: string) => `call ${callId}`
