import { cli } from './catalogue/cli.ts'
import { command } from './catalogue/command.ts'
import { config } from './catalogue/config.ts'
import { demo } from './catalogue/demo.ts'
import { doctor } from './catalogue/doctor.ts'
import { help } from './catalogue/help.ts'
import { name } from './catalogue/name.ts'
import { replay } from './catalogue/replay.ts'
import { session } from './catalogue/session.ts'

/** Every message, by a key that begins with its subject. One file per subject, both languages side by side. */
export const catalogue = { ...cli, ...command, ...config, ...demo, ...doctor, ...help, ...name, ...replay, ...session }
