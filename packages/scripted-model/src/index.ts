export type { ScriptedModelOptions } from './options.ts'
export { parseScript, ScriptError } from './parse-script.ts'
export type { Sleep } from './player.ts'
export type {
  Chunking,
  Delivery,
  ErrorStep,
  Expect,
  Fault,
  Noise,
  Problem,
  RawStep,
  ReceivedRequest,
  ReplyPart,
  ReplyStep,
  RequestView,
  Script,
  ScriptFunction,
  Step,
  Stop,
  StreamFailure,
  Usage,
  WireName,
} from './script.ts'
export { type ScriptedModel, startScriptedModel } from './server.ts'
