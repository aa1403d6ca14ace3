/**
 * The packages whose install scripts may run, by name. All others install with scripts off, whatever they ask for.
 * Add a name only when the package does not work without its script, and say why beside it.
 * @type {readonly string[]}
 */
export const allowedInstallScripts = []
