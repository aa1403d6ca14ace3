/**
 * How every door talks to a server, in a browser and in Node. WebSocket and fetch are given, nothing is polled.
 *
 *   const connection = connect({ url, token, WebSocket, door: 'terminal', onState: show })
 *   const view = createView({ onChange: () => draw(view.read()) })
 *   connection.listen(id, view.last, view)
 *   const outbox = createOutbox(connection)
 *   await outbox.admit(id, { type: 'input-admit', delivery: 'queue', parts: [{ type: 'text', text }] })
 *
 * A cut is nobody's business but the connection's: facts come once and in order, the open turn's text has no hole, and
 * what was said is recorded once. A runner works under a server's log with `createRemoteLog`, `createRemoteBlobs` and
 * `createRemoteLive`; for everything else there is `createApi`.
 */
export { type Api, type ConversationFilter, createApi, type Page } from './api.ts'
export { type Connection, connect } from './connect.ts'
export type { Follower, Following } from './follows.ts'
export { createHttp, type Http, type HttpCall, type HttpOptions } from './http.ts'
export type { ConnectionState, ConnectOptions, Hello, Timing } from './link.ts'
export { makeKey } from './make-key.ts'
export type { OpenText, RunningOutput } from './open-text.ts'
export { createOutbox, type Intent, type Outbox, type OutboxOptions, type OutboxStore, type Unsent } from './outbox.ts'
export { ApiError } from './problem-error.ts'
export { createRemoteBlobs } from './remote-blobs.ts'
export { createRemoteLive } from './remote-live.ts'
export { createRemoteLog } from './remote-log.ts'
export type { Socket, SocketClass } from './socket.ts'
export { type Approval, createView, type PendingQuestion, type Shown, type View, type ViewOptions } from './view.ts'
