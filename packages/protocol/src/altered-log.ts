import type { SessionLog } from './log.ts'

/** The same log, of which some things are otherwise. One that is a class cannot be spread. */
export function alteredLog(log: SessionLog, other: Partial<SessionLog>): SessionLog {
  return {
    create: (...given) => log.create(...given),
    list: () => log.list(),
    lease: (...given) => log.lease(...given),
    admit: (...given) => log.admit(...given),
    append: (...given) => log.append(...given),
    read: (...given) => log.read(...given),
    follow: (...given) => log.follow(...given),
    watch: (...given) => log.watch(...given),
    erase: (...given) => log.erase(...given),
    close: () => log.close(),
    ...other,
  }
}
