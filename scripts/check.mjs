import { runCommand } from './house/command.mjs'

runCommand(() => import('./house/check.mjs'))
