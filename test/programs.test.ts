import { expect, test } from 'vitest'
import { planPrograms, programs } from '../scripts/house/programs.mjs'

const needed = programs.filter(({ neededBy }) => neededBy !== undefined)

test('only small programs that tests use by now are installed', () => {
  expect(needed.map(({ name }) => name)).toEqual(['bubblewrap', 'tmux'])
})

test('root installs by itself', () => {
  expect(planPrograms(needed, { managers: ['apt-get'], rights: 'root' })).toEqual({
    commands: [
      ['apt-get', 'update', '-q', '-o', 'Acquire::Retries=0', '-o', 'Acquire::http::Timeout=20'],
      ['apt-get', 'install', '-y', '-q', '--no-install-recommends', 'bubblewrap', 'tmux'],
    ],
  })
  expect(planPrograms(needed, { managers: ['apk'], rights: 'root' })).toEqual({
    commands: [['apk', 'add', 'bubblewrap', 'tmux']],
  })
})

test('a CI machine with passwordless sudo installs by it', () => {
  expect(planPrograms(needed, { managers: ['dnf'], rights: 'sudo' })).toEqual({
    commands: [['sudo', '-n', 'dnf', 'install', '-y', 'bubblewrap', 'tmux']],
  })
})

test('a person is told what to type', () => {
  const tmux = programs.filter(({ name }) => name === 'tmux')
  expect(planPrograms(needed, { managers: ['dnf'], rights: 'none' })).toEqual({
    advice: 'for the tests that use them, type: sudo dnf install -y bubblewrap tmux',
  })
  expect(planPrograms(tmux, { managers: ['brew'], rights: 'none' })).toEqual({
    advice: 'for the tests that use them, type: brew install tmux',
  })
  expect(planPrograms(needed, { managers: ['brew'], rights: 'none' })).toEqual({
    advice: 'install bubblewrap, tmux to run the tests that use them',
  })
})
