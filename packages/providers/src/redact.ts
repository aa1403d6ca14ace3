import type { Failure, ModelEvent } from '@maru/protocol'

type Batches = AsyncGenerator<ModelEvent[]>

// What is shorter is no secret, and replacing it would garble messages.
const MIN_SECRET = 6

/** Takes secrets out of what people and logs may see: messages of failures, and traces. */
export function createRedactor(secrets: readonly string[]): (batches: Batches) => Batches {
  const hidden = secrets.map((secret) => secret.trim()).filter((secret) => secret.length >= MIN_SECRET)
  const clean = (text: string) => hidden.reduce((rest, secret) => rest.replaceAll(secret, '[hidden]'), text)
  const cleanFailure = (failure: Failure): Failure => ({ ...failure, message: clean(failure.message) })

  function cleanEvent(event: ModelEvent): ModelEvent {
    switch (event.type) {
      case 'failure':
        return { ...event, failure: cleanFailure(event.failure) }
      case 'retry':
        return { ...event, failure: cleanFailure(event.failure) }
      case 'trace':
        return {
          ...event,
          name: clean(event.name),
          data: typeof event.data === 'string' ? clean(event.data) : event.data,
        }
      default:
        return event
    }
  }

  return async function* (batches) {
    for await (const batch of batches) {
      for (const [at, event] of batch.entries()) {
        if (event.type === 'failure' || event.type === 'retry' || event.type === 'trace') batch[at] = cleanEvent(event)
      }
      yield batch
    }
  }
}
