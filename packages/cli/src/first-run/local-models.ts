import { get } from 'node:http'
import { printable } from '../terminal/printable.ts'

/** A program that serves models, and the port where it usually is. */
export interface UsualPlace {
  readonly name: string
  readonly port: number
}

export const USUAL_PLACES: readonly UsualPlace[] = [
  { name: 'Ollama', port: 11434 },
  { name: 'LM Studio', port: 1234 },
  { name: 'llama.cpp', port: 8080 },
  { name: 'vLLM', port: 8000 },
]

/** One that answered, and the models it has. */
export interface LocalServer {
  readonly name: string
  readonly url: string
  readonly models: readonly string[]
}

const LIMIT_MS = 300
const MAX_BYTES = 256 * 1024
const MAX_MODELS = 100

/** Asks every usual port of this machine for its models, all at once; whoever does not answer in time has none. */
export async function findLocalModels(
  signal: AbortSignal,
  places: readonly UsualPlace[] = USUAL_PLACES,
  limitMs = LIMIT_MS,
): Promise<LocalServer[]> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(limitMs)])
  const asked = places.map(async ({ name, port }) => {
    const url = `http://127.0.0.1:${port}`
    // Nobody there, somebody slow, or somebody else: all the same to who looks for a model.
    const text = await readText(`${url}/v1/models`, limited).catch(() => '')
    return { name, url, models: modelsIn(text) }
  })
  return (await Promise.all(asked)).filter(({ models }) => models.length > 0)
}

function readText(url: string, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = get(url, { signal, agent: false, headers: { accept: 'application/json' } }, (response) => {
      const chunks: Buffer[] = []
      let length = 0
      response.on('error', reject)
      response.on('end', () => resolve(response.statusCode === 200 ? Buffer.concat(chunks).toString('utf8') : ''))
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        length += chunk.length
        if (length > MAX_BYTES) response.destroy(new Error('too long'))
      })
    })
    request.on('error', reject)
  })
}

/** The names in a list of models; none in anything else that a port may answer. */
export function modelsIn(text: string): string[] {
  const list = asList(text)
  const names = list.flatMap((entry: unknown) => {
    const id = typeof entry === 'object' && entry !== null && 'id' in entry ? entry.id : undefined
    return typeof id === 'string' && isUsable(id) ? [id] : []
  })
  return [...new Set(names)].slice(0, MAX_MODELS)
}

function asList(text: string): unknown[] {
  try {
    const body: unknown = JSON.parse(text)
    const list = typeof body === 'object' && body !== null && 'data' in body ? body.data : undefined
    return Array.isArray(list) ? list : []
  } catch {
    // A page, or nothing at all.
    return []
  }
}

// A name that is shown otherwise than it is sent would be somebody's trick; and nobody talks with an embedding.
function isUsable(id: string): boolean {
  return id !== '' && id.length <= 200 && printable(id) === id && !/embed/i.test(id)
}
