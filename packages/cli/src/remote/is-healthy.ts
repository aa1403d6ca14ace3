import { get as getPlain } from 'node:http'
import { get as getSecure } from 'node:https'

/** Whether a server answers, and soon: whoever asks stands between a person and their prompt. */
export function isHealthy({ url, cert }: { url: string; cert?: string }, withinMs: number): Promise<boolean> {
  const get = url.startsWith('https:') ? getSecure : getPlain
  return new Promise((resolve) => {
    const timer = setTimeout(() => end(false), withinMs)
    const request = get(`${url}/healthz`, { agent: false, ...(cert !== undefined && { ca: cert }) }, (response) => {
      response.resume()
      end(response.statusCode === 200)
    })
    request.on('error', () => end(false))
    const end = (isSo: boolean) => {
      clearTimeout(timer)
      resolve(isSo)
      request.destroy()
    }
  })
}
