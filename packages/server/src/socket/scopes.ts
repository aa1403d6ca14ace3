import type { ClientFrame, DoorFact, LogCall } from '@maru/protocol'
import type { Scope } from '@maru/store'

/** What each fact of a door asks of the key: a conversation is changed, or an agent is told what to do. */
export const FACT_SCOPES: { [T in DoorFact['type']]: Scope } = {
  'message-add': 'write',
  'message-hide': 'write',
  'title-set': 'write',
  'summary-add': 'write',
  'input-admit': 'run',
  interrupt: 'run',
  'approval-answer': 'run',
  'question-answer': 'run',
  'settings-change': 'run',
  'context-pin': 'run',
  'files-restore': 'run',
}

const CALL_SCOPES: { [Op in LogCall['op']]: Scope } = {
  create: 'run',
  lease: 'run',
  renew: 'run',
  release: 'run',
  append: 'run',
  read: 'read',
  list: 'read',
  erase: 'write',
}

/** What a frame asks of the key, as far as that does not hang on what is in it. */
export function scopeOf(frame: ClientFrame): Scope | undefined {
  switch (frame.type) {
    case 'follow':
    case 'watch':
      return 'read'
    case 'call':
      return CALL_SCOPES[frame.call.op]
    case 'publish':
    case 'settle':
      return 'run'
    case 'admit':
    case 'door':
    case 'unfollow':
    case 'unwatch':
    case 'ping':
      return undefined
    default:
      return frame satisfies never
  }
}
