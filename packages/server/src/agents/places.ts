/** A place among the agents that work at the same time. */
export interface Place {
  /** Whoever waits for a person does not work: another may. */
  setWaiting(isWaiting: boolean): void
  leave(): void
}

export interface Places {
  /** Gives a place as soon as there is one, in the order of asking; nothing, if the signal aborts first. */
  take(signal: AbortSignal, onWait: () => void): Promise<Place | undefined>
}

// Those who wait for a person hold files and memory all the same.
const OPEN_PER_PLACE = 8

/** `onChange` hears how many work. */
export function createPlaces(most: number, onChange: (busy: number) => void): Places {
  const queue: (() => void)[] = []
  let busy = 0
  let open = 0
  const isFree = () => busy < most && open < most * OPEN_PER_PLACE
  const letNext = () => {
    while (queue.length > 0 && isFree()) queue.shift()?.()
  }
  function enter(): Place {
    let isWaiting = false
    let hasLeft = false
    busy++
    open++
    onChange(busy)
    return {
      setWaiting(now) {
        if (hasLeft || now === isWaiting) return
        isWaiting = now
        busy += now ? -1 : 1
        onChange(busy)
        letNext()
      },
      leave() {
        if (hasLeft) return
        hasLeft = true
        open--
        if (!isWaiting) busy--
        onChange(busy)
        letNext()
      },
    }
  }
  return {
    take(signal, onWait) {
      if (signal.aborted) return Promise.resolve(undefined)
      if (queue.length === 0 && isFree()) return Promise.resolve(enter())
      onWait()
      return new Promise((resolve) => {
        const go = () => {
          signal.removeEventListener('abort', give)
          resolve(enter())
        }
        const give = () => {
          queue.splice(queue.indexOf(go), 1)
          resolve(undefined)
        }
        queue.push(go)
        signal.addEventListener('abort', give, { once: true })
      })
    },
  }
}
