import { decide } from '@maru/guard'

const decision = decide([{ kind: 'create', path: 'src/new.ts', where: 'inside' }], { mode: 'ask', sandbox: 'none' })
console.log(decision.verdict) // 'ask'
console.log(decision.rule) // 'built-in/create'
console.log(decision.reason) // 'the call creates a file; mode ask asks first'
