/**
 * A failure a person can do something about: the message says what failed and what to do next; `detail` is what the
 * failing program printed, shown above it.
 */
export class HouseError extends Error {
  /** @override */
  name = 'HouseError'

  /**
   * @param {string} message
   * @param {{ detail?: string, cause?: unknown }} [options]
   */
  constructor(message, { detail = '', cause } = {}) {
    super(message, { cause })
    this.detail = detail.trimEnd()
  }
}
