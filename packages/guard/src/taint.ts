import type { Access } from '@maru/protocol'

// What others wrote and a package manager brought in.
const FOREIGN_FOLDERS = new Set([
  ...['node_modules', 'bower_components', 'jspm_packages', 'vendor', 'third_party', 'site-packages', '.venv', 'venv'],
  ...['Pods', 'Carthage', '.yarn', '.pnpm', '.cargo', 'deps', '.gradle', '.m2'],
])

/** Whether text from outside the repository and its people comes in with a call that touches this. */
export function bringsInText(accesses: readonly Access[]): boolean {
  return accesses.some((access) => {
    if (access.kind === 'net' || access.kind === 'foreign-tool') return true
    if (access.kind !== 'read') return false
    return access.where === 'outside' || access.path.split('/').some((part) => FOREIGN_FOLDERS.has(part))
  })
}
