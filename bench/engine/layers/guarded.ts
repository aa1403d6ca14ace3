import { createHmac } from 'node:crypto'
import { createMasking, decideWith, NO_RULES } from '@maru/guard'
import { createTools, openSandbox } from '@maru/tools'
import { place, runTask } from './run-task.ts'

// The engine with the hands and the guard of the product: its tools, policy, secrets and sandbox.
const { root, home, environment } = place
const masking = createMasking(async () => ({
  digest: (value) => createHmac('sha256', home).update(value).digest('hex'),
  environment,
  values: [],
}))
const sandbox = openSandbox({
  roots: [root],
  home: environment['HOME'] ?? '/root',
  maruHome: home,
  environment,
  onNotice: () => undefined,
})
const tools = createTools({ root, environment, sandbox, canSee: false, masking })

void runTask({
  tools,
  masking,
  async decide({ tool, access, isTainted }) {
    // As `maru run` does: what is proven to only read needs nothing that holds it.
    const isConfined = access.some((one) => one.kind === 'run' && one.proven !== 'read-only')
    const held = isConfined && (await sandbox.holds()) ? 'full' : 'none'
    const ruling = decideWith({ tool, access, root }, { mode: 'yes', sandbox: held, isTainted }, NO_RULES)
    return { ...ruling, permit: { isConfined, hosts: [] } }
  },
  async close() {
    await tools.close()
    await sandbox.close()
  },
})
