import type { Tool } from '@maru/protocol'
import { createGitDiff } from '../../src/git/git-diff.ts'
import { createGitLog } from '../../src/git/git-log.ts'
import { createGitStatus } from '../../src/git/git-status.ts'
import type { GitPlace } from '../../src/git/git-tool.ts'

export function createGitTools(place: GitPlace): Tool[] {
  return [createGitStatus(place), createGitDiff(place), createGitLog(place)]
}
