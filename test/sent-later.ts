import type { HttpRequest, Transport } from '../src/exchange/http/transport.ts'

/** A request whose `beforeSend` was called. */
export type SentRequest = Omit<HttpRequest, 'beforeSend'>

/**
 * Calls `beforeSend` one turn later and then hands the request on, as HTTP does with an idle connection: several requests
 * wait together, and a process may die between the commit that they share and any of them.
 */
export function sentLater(transport: (request: SentRequest) => ReturnType<Transport>): Transport {
  return ({ beforeSend, ...request }) => {
    if (beforeSend === undefined) return transport(request)
    return new Promise((resolve, reject) => {
      setImmediate(() => {
        try {
          beforeSend()
        } catch (error) {
          reject(error)
          return
        }
        transport(request).then(resolve, reject)
      })
    })
  }
}
