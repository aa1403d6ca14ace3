import type { Manifest } from './manifest.ts'
import { nodeProfiles } from './node-profiles.ts'
import { OTHER_PROFILES } from './other-profiles.ts'
import type { Profile, ProfileKind } from './profile.ts'

/**
 * Every way to check a directory that it or those above it show, the likeliest first: the nearest directory before those
 * above, and what a world itself offers before a Makefile.
 */
export function findProfiles(manifests: readonly Manifest[], kind: ProfileKind): Profile[] {
  const nearest = manifests.flatMap((manifest) => OTHER_PROFILES.flatMap((find) => find(manifest, kind) ?? []))
  const found = [...nodeProfiles(manifests, kind), ...nearest, ...manifests.flatMap((one) => byMake(one, kind))]
  const depth = ({ cwd }: Profile) => (cwd === '.' ? 0 : cwd.split('/').length)
  return found.sort((one, other) => depth(other) - depth(one))
}

const TARGETS: Record<ProfileKind, readonly string[]> = {
  test: ['test', 'check', 'tests'],
  lint: ['lint'],
  types: ['typecheck', 'types'],
}

function byMake({ path, texts }: Manifest, kind: ProfileKind): Profile[] {
  const text = ['GNUmakefile', 'makefile', 'Makefile'].map((name) => texts.get(name)).find((one) => one !== undefined)
  const target = TARGETS[kind].find((name) => new RegExp(`^${name}\\s*:(?!=)`, 'm').test(text ?? ''))
  if (target === undefined) return []
  const format = kind === 'test' ? 'any' : 'problems'
  return [{ kind, name: `make ${target}`, program: 'make', argv: [target], cwd: path, format, files: /^Makefile$/ }]
}

/** The profile that a filter speaks of: by the kind of file it names, else the first. */
export function chooseProfile(profiles: readonly Profile[], filter: string | undefined): Profile | undefined {
  const path = filter?.replace(/::.*$/, '')
  return profiles.find(({ files }) => path !== undefined && files.test(path)) ?? profiles[0]
}
