import { type BlobRef, type BlobStore, LogError } from '@maru/protocol'
import { createHttp, type HttpOptions } from './http.ts'
import { ApiError, toLogError } from './problem-error.ts'

/** The server's blobs, as if they were here. Content is stored there when `put` resolves. */
export function createRemoteBlobs(options: HttpOptions): BlobStore {
  const http = createHttp(options)
  const put = async (holder: string, content: Uint8Array | string): Promise<BlobRef> => {
    const body = typeof content === 'string' ? new TextEncoder().encode(content) : content
    try {
      const response = await http('POST', 'blobs', { query: { holder }, body, isRepeatable: true })
      return (await response.json()) as BlobRef
    } catch (error) {
      throw toLogError(error)
    }
  }
  const get: BlobStore['get'] = async (holder, hash, range) => {
    // Nothing is no range that could be asked for; whether the blob is there is.
    const isAsked = range !== undefined && range.end > range.start
    const headers = isAsked ? { range: `bytes=${range.start}-${range.end - 1}` } : {}
    try {
      const response = await http('GET', `blobs/${hash}`, { query: { holder }, headers })
      const bytes = new Uint8Array(await response.arrayBuffer())
      // A server may answer with the whole.
      return range && response.status !== 206 ? bytes.slice(range.start, Math.max(range.start, range.end)) : bytes
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (error.status === 404) return undefined
      // Behind its end.
      if (error.status === 416) return new Uint8Array()
      throw toLogError(error)
    }
  }
  return {
    put,
    get,
    // A fork gets its content where it is made; this is for whoever copies by hand.
    async share(from, to, hashes) {
      for (const hash of hashes) {
        const content = await get(from, hash)
        if (content) await put(to, content)
      }
    },
    release: () =>
      Promise.reject(new LogError('rejected', 'a server lets go of content with the fact or session that is erased')),
    flush: () => Promise.resolve(),
  }
}
