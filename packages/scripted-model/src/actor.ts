import { isModelList, refuseEntry } from './admit.ts'
import { type Answer, errorAnswer, jsonAnswer, rawAnswer, replyAnswer } from './answer.ts'
import { findMismatch } from './expect.ts'
import { createIds } from './ids.ts'
import { fieldsOf } from './json.ts'
import { createLedger } from './ledger.ts'
import { listModels } from './models.ts'
import type { ScriptedModelOptions } from './options.ts'
import { checkDelivery, parseScript, parseStep } from './parse-script.ts'
import type { Problem, ReceivedRequest, Script, ScriptFunction, Step, VendorError, WireName } from './script.ts'
import { errorOfStep, invalid } from './vendor-error.ts'
import type { Wire } from './wire.ts'
import { anthropicWire } from './wire-anthropic.ts'
import { chatWire } from './wire-chat.ts'
import { responsesWire } from './wire-responses.ts'

const wires: Readonly<Record<WireName, Wire>> = { anthropic: anthropicWire, responses: responsesWire, chat: chatWire }

/** The wire a path belongs to. */
export function wireOf(path: string): Wire | undefined {
  return Object.values(wires).find((wire) => wire.path === path.split('?')[0])
}

/** Decides what each request is answered, in the order the requests came. */
export type Actor = { answer(request: ReceivedRequest): Promise<Answer>; stepsLeft(): number }

export function createActor(options: ScriptedModelOptions, problems: Problem[]): Actor {
  const { delivery = {}, createdAt = 1_700_000_000 } = options
  checkDelivery(delivery, 'delivery')
  const ids = createIds()
  const ledger = createLedger()
  const cast = createCast(options.script)

  async function answer(request: ReceivedRequest): Promise<Answer> {
    const wire = request.wire === undefined ? wires[shapeOf(request)] : wires[request.wire]
    const requestId = ids.next('req_')
    const refuse = ({ kind, error }: Refusal) => {
      problems.push({ kind, message: error.message, request })
      return errorAnswer(wire, error, requestId)
    }
    const body = fieldsOf(request.body)
    const error = firstOf(refuseEntry(request, options))
    if (error !== undefined) return refuse({ kind: 'refused', error })
    if (isModelList(request)) return jsonAnswer(listModels(wire.name, createdAt, options.models))
    const fault = firstOf(wire.check({ headers: request.headers, body }, ledger))
    if (fault !== undefined) return refuse({ kind: 'refused', error: fault })
    const step = await cast.take(request)
    if ('kind' in step) return refuse(step)
    if ('raw' in step) return rawAnswer(step)
    if ('error' in step) return errorAnswer(wire, errorOfStep(step), requestId)
    const requestBytes = request.rawBody.length
    return replyAnswer(step, { wire, delivery, body, ids, createdAt, ledger, requestBytes, requestId })
  }

  return { answer, stepsLeft: cast.left }
}

/** A request that is not answered by its step, and why. */
type Refusal = { readonly kind: Problem['kind']; readonly error: VendorError }

type Cast = { take(request: ReceivedRequest): Promise<Step | Refusal>; left(): number }

function createCast(script: Script): Cast {
  if (typeof script === 'function') {
    return { take: (request) => ask(script, request), left: () => Number.POSITIVE_INFINITY }
  }
  const steps = [...parseScript(script)]
  return {
    async take(request) {
      const step = steps[0]
      if (step === undefined) {
        const message = `The script is used up: no step is left for ${request.method} ${request.path}`
        return { kind: 'used-up', error: { status: 500, message } }
      }
      const refusal = compare(step, request)
      // A step waits for the request it expects.
      if (refusal === undefined) steps.shift()
      return refusal ?? step
    },
    left: () => steps.length,
  }
}

async function ask(script: ScriptFunction, request: ReceivedRequest): Promise<Step | Refusal> {
  try {
    const step = parseStep(await script(request), 'step')
    return compare(step, request) ?? step
  } catch (error) {
    // Whatever a test's own function throws; the test finds it among the problems.
    const message = `The script threw: ${error instanceof Error ? error.message : String(error)}`
    return { kind: 'script-threw', error: { status: 500, message } }
  }
}

function compare({ expect }: Step, { view }: ReceivedRequest): Refusal | undefined {
  const mismatch = expect === undefined ? undefined : findMismatch(expect, view)
  if (mismatch === undefined) return undefined
  return { kind: 'unexpected', error: invalid(`The script expected ${mismatch}`) }
}

/** Whose shape to use for a path both vendors have, or neither. */
function shapeOf({ headers }: ReceivedRequest): WireName {
  return headers['anthropic-version'] === undefined ? 'chat' : 'anthropic'
}

function firstOf<T>(values: Iterable<T>): T | undefined {
  for (const value of values) return value
  return undefined
}
