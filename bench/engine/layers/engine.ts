import { decide } from '@maru/guard'
import { createPlainTools } from './plain-tools.ts'
import { runTask } from './run-task.ts'

// The engine by itself: the loop, the log, the provider, the checks of arguments and the mode table.
void runTask({
  tools: createPlainTools(),
  decide: async ({ access }) => decide(access, { mode: 'yes', sandbox: 'none' }),
})
