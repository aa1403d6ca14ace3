/** An import as written: `lazy` is `import()`, `type` is gone at run time. */
export type Import = { specifier: string; kind: 'static' | 'lazy' | 'type'; line: number }

/** What a file is for; it decides which rules it is under. */
export type Role = 'source' | 'test' | 'bench' | 'script'

/** A file of code, as far as the rules are concerned. */
export type CodeFile = {
  /** Relative to the root, with forward slashes. */
  path: string
  /** The folder in packages/ it belongs to; undefined for the files of the root. */
  owner: string | undefined
  role: Role
  lines: number
  imports: Import[]
  /** Lines of `export default` and of `export *`. */
  defaultExports: number[]
  starExports: number[]
  /** Why it cannot be parsed, if it cannot. */
  broken: string | undefined
}

/** A package.json, as far as the rules are concerned. */
export type Manifest = { name: string; dependencies: string[]; devDependencies: string[] }

/** A folder in packages/. */
export type Package = { folder: string; manifest: Manifest; hasReadme: boolean; hasEntry: boolean }

/** The whole repository, read once; the rules are functions of it. */
export type House = { packages: Package[]; files: CodeFile[]; manifest: Manifest; lock: string }

/** One thing that is wrong: where, what, and what to do about it. */
export type Problem = { where: string; what: string; todo: string }
