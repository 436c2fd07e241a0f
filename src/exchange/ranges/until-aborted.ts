import type { CallOptions, EndpointCall } from '../call/endpoint-call.ts'

/** Items of a range, read while they are iterated. */
export type Range<Item> = AsyncGenerator<Item, void, undefined>

/**
 * Longest wait of a range's call for its turn, ms: ranges are not urgent, and a used-up budget is free again
 * in a minute.
 */
const PATIENCE_MS = 120_000

/** Options that all ranges share. */
export interface RangeOptions {
  /** Ends the range at once: its next step rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/** `call` with the longer wait of ranges and the range's signal. */
export function patiently(call: EndpointCall, { signal }: RangeOptions): EndpointCall {
  const options: CallOptions = { maxWaitMs: PATIENCE_MS, ...(signal !== undefined && { signal }) }
  return (endpoint, fields) => call(endpoint, fields, options)
}

/** Ends the range at once when the signal aborts, even while it waits for an answer. */
export async function* untilAborted<Item>(range: Range<Item>, signal: AbortSignal | undefined): Range<Item> {
  if (signal === undefined) {
    yield* range
    return
  }
  try {
    for (;;) {
      signal.throwIfAborted()
      const next = await orAborted(range.next(), signal)
      if (next.done) return
      yield next.value
    }
  } finally {
    // Not awaited: a range that still waits for an answer ends when that arrives.
    range.return().catch(() => undefined)
  }
}

function orAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
