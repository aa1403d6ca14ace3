export { hashPassword, verifyPassword } from './access/password.ts'
export type { Agent, AgentWish, Limits, RunningServer, ServerOptions, Workshop } from './ports.ts'
export { startServer } from './start-server.ts'
