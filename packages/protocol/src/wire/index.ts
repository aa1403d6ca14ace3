// What crosses the wire between a server and its doors: frames of the socket, bodies of the API, refusals.
import * as api from './api.ts'

export {
  CLOSE,
  ClientFrame,
  type LogAnswers,
  LogCall,
  MAX_FRAME_BYTES,
  type ServerFrame,
  SocketDoor,
} from './frames.ts'
export { Problem } from './problem.ts'
export { api }
