import { markOf } from '@maru/guard'

/** Whether a file holds secrets. Such files are searched as they are shown: not even a number may tell whether a guess is right. */
export function isSecret(path: string): boolean {
  return markOf(path, 'read') === 'secret'
}

/**
 * The same for very many files, of which the full judgement takes longer than finding them: the first ones are judged in
 * full, and then those whose path is not plain. What is shown is always judged in full.
 */
export function createSecretCheck(): (path: string) => boolean {
  let judged = 0
  return (path) => (judged++ < FEW || !PLAIN.test(path)) && isSecret(path)
}

const FEW = 500

// Plain words without a leading dot, and the extension of a program or a document; or one of data, unless it sounds secret.
const PLAIN =
  /^(?:\w[\w-]*\/)*(?:\w[\w.-]*\.(?:[cm]?[jt]sx?|pyi?|go|rs|java|kt|swift|cs?|cc|cpp|hp{0,2}|php|rb|vue|svelte|s?css|less|html?|mdx?|rst|sql)|(?![\w-]*(?:secret|credential|passw|token|key|id_))\w[\w-]*\.(?:json|ya?ml|toml))$/
