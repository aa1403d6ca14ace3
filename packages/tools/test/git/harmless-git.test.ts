import { execFile } from 'node:child_process'
import { access, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { temporaryDirectory } from '@maru/testkit'
import { expect, test } from 'vitest'
import { openHarmlessGit } from '../../src/git/run-git.ts'

const run = promisify(execFile)

test('a plain git under these variables reads a hostile repository and runs nothing of it', async () => {
  const { path, dispose } = await temporaryDirectory()
  const repo = join(path, 'repo')
  const trap = join(path, 'sprung')
  const git = (...args: string[]) => run('git', ['-C', repo, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args])
  await mkdir(repo)
  await git('init', '-q')
  await writeFile(join(repo, 'a.txt'), 'one\n')
  await writeFile(join(repo, '.gitattributes'), '*.txt diff=evil filter=evil\n')
  await git('add', '.')
  await git('commit', '-qm', 'first')
  await writeFile(join(repo, 'a.txt'), 'two\n')
  const spring = `touch ${trap}; cat`
  for (const [key, value] of [
    ['core.fsmonitor', spring],
    ['diff.external', spring],
    ['diff.evil.textconv', spring],
    ['diff.evil.command', spring],
    ['filter.evil.clean', spring],
    ['gpg.program', spring],
    ['log.showSignature', 'true'],
    ['core.pager', spring],
    ['core.hooksPath', join(path, 'hooks')],
  ] as const) {
    await git('config', key, value)
  }
  await mkdir(join(path, 'hooks'))
  await writeFile(join(path, 'hooks/post-index-change'), `#!/bin/sh\ntouch ${trap}\n`, { mode: 0o755 })
  const harmless = await openHarmlessGit(repo, { signal: new AbortController().signal })
  const env = { PATH: process.env['PATH'] ?? '', HOME: path, ...harmless.environment }
  const said: string[] = []
  for (const args of [['status', '--short'], ['diff'], ['log', '-p', '--oneline'], ['show'], ['branch', '-a']]) {
    said.push((await run('git', args, { cwd: repo, env })).stdout)
  }
  await harmless.dispose()
  expect(said[0]).toBe(' M a.txt\n')
  expect(said[1]).toContain('+two')
  expect(said[2]).toContain('first')
  await expect(access(trap)).rejects.toThrow()
  // The traps do work: the same without the variables.
  await run('git', ['status'], { cwd: repo, env: { PATH: env.PATH, HOME: path } })
  await access(trap)
  await dispose()
})

test('what is no repository stays none', async () => {
  const { path, dispose } = await temporaryDirectory()
  const harmless = await openHarmlessGit(path, { signal: new AbortController().signal })
  const env = { PATH: process.env['PATH'] ?? '', ...harmless.environment }
  await expect(run('git', ['status'], { cwd: path, env })).rejects.toThrow(/not a git repository/)
  await harmless.dispose()
  await dispose()
})
