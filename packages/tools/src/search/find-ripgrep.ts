/** The program that came with its package, if there is one for this platform. Windows was never tried. */
export async function findRipgrep(): Promise<string | undefined> {
  if (process.platform === 'win32') return undefined
  try {
    return (await import('@vscode/ripgrep')).rgPath
  } catch {
    // Whatever the package throws, it comes to the same: we do without.
    return undefined
  }
}
