import { runCommand } from './house/command.mjs'

runCommand(() => import('./house/prove.mjs'))
