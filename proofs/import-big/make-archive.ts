import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { makeChat } from '../../bench/store/make-chat.ts'
import { zipOf } from './zip-of.ts'

/** What is in an archive, as an import must find it. */
export interface ArchiveContents {
  conversations: number
  /** Ways through their trees: a conversation whose answer was asked for twice has two. */
  sessions: number
  messages: number
  /** Of `conversations.json`, unpacked. */
  bytes: number
  /** Words that stand in one message each. */
  needles: string[]
}

const MESSAGES = 24
const NEEDLE_EVERY = 97
const BRANCH_EVERY = 5

/** Writes an archive in the shape of a ChatGPT export, of so many bytes unpacked. Equal seeds, equal archives. */
export async function writeArchive(
  path: string,
  { bytes, seed }: { bytes: number; seed: number },
): Promise<ArchiveContents> {
  const contents: ArchiveContents = { conversations: 0, sessions: 0, messages: 0, bytes: 0, needles: [] }
  const member = Readable.from(conversationsJson({ bytes, seed, contents }))
  await pipeline(Readable.from(zipOf('conversations.json', member)), createWriteStream(path))
  return contents
}

async function* conversationsJson({
  bytes,
  seed,
  contents,
}: {
  bytes: number
  seed: number
  contents: ArchiveContents
}): AsyncGenerator<Buffer, void> {
  const chat = makeChat(seed)
  while (contents.bytes < bytes) {
    const text = (contents.conversations === 0 ? '[' : ',\n') + JSON.stringify(conversation(contents, chat.next))
    const chunk = Buffer.from(text)
    contents.bytes += chunk.length
    yield chunk
  }
  contents.bytes += 1
  yield Buffer.from(']')
}

type Node = { id: string; parent: string | null; children: string[]; message: object | null }

function conversation(contents: ArchiveContents, say: () => string): object {
  const number = contents.conversations++
  contents.sessions++
  const began = Date.UTC(2023, 0, 1) / 1000 + number * 3_600
  const root: Node = { id: uuid(`${number}.root`), parent: null, children: [], message: null }
  const mapping: Record<string, Node> = { [root.id]: root }
  const add = (above: Node, name: string, message: object): Node => {
    const node: Node = { id: uuid(`${number}.${name}`), parent: above.id, children: [], message }
    above.children.push(node.id)
    mapping[node.id] = node
    return node
  }
  const tell = (text: string, place: number): object => messageOf(text, { place, at: began + place * 40 })
  let last = root
  for (let place = 0; place < MESSAGES; place++) {
    const text = contents.messages % NEEDLE_EVERY === 0 ? `${say()} ${needle(contents)} ${say()}` : say()
    const above = last
    last = add(above, `${place}`, tell(text, place))
    contents.messages++
    if (place !== MESSAGES / 2 || number % BRANCH_EVERY !== 0) continue
    // The same question asked again: another answer, from which nobody went on.
    add(above, `${place}.again`, tell(say(), place))
    contents.messages++
    contents.sessions++
  }
  return {
    title: say().slice(0, 60),
    create_time: began,
    update_time: began + MESSAGES * 40,
    mapping,
    moderation_results: [],
    current_node: last.id,
    plugin_ids: null,
    conversation_id: uuid(`${number}`),
    conversation_template_id: null,
    gizmo_id: null,
    is_archived: false,
    safe_urls: [],
    default_model_slug: 'gpt-4',
    id: uuid(`${number}`),
  }
}

function messageOf(text: string, { place, at }: { place: number; at: number }): object {
  const isUser = place % 2 === 0
  return {
    id: uuid(`${at}.${place}.${text.length}`),
    author: { role: isUser ? 'user' : 'assistant', name: null, metadata: {} },
    create_time: at + 0.125,
    update_time: null,
    content: { content_type: 'text', parts: [text] },
    status: 'finished_successfully',
    end_turn: isUser ? null : true,
    weight: 1,
    metadata: isUser
      ? { timestamp_: 'absolute' }
      : { finish_details: { type: 'stop', stop: '<|diff_marker|>' }, model_slug: 'gpt-4', timestamp_: 'absolute' },
    recipient: 'all',
  }
}

function needle(contents: ArchiveContents): string {
  const word = `needle${createHash('sha256').update(`${contents.messages}`).digest('hex').slice(0, 12)}`
  contents.needles.push(word)
  return word
}

function uuid(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-')
}
