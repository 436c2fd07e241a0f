import type { Clock } from '../src/domain/clock.ts'
import type { HttpResponse, Transport } from '../src/exchange/http/transport.ts'
import { TransportError } from '../src/exchange/http/transport-error.ts'
import type { ExchangeResponse } from '../src/simulator/protocol/exchange-response.ts'
import { Carrier } from '../src/simulator/server/carrier.ts'
import type { SimulatedExchange } from '../src/simulator/simulated-exchange.ts'
import { sentLater } from './sent-later.ts'

/** Carries requests to a simulated exchange in the same process, at the clock's time, and what goes wrong there: no sockets, hence virtual time. */
export function inProcessTransport(exchange: Pick<SimulatedExchange, 'handle'>, clock: Clock): Transport {
  const carrier = new Carrier(exchange, clock)
  return sentLater(({ method, url, headers, body, timeoutMs }) => {
    const { pathname, search } = new URL(url)
    const lowerCase = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
    )
    const request = { method, target: `${pathname}${search}`, headers: lowerCase, body }
    return new Promise((resolve, reject) => {
      let answered = false
      let stopWaiting: () => void = () => undefined
      carrier.carry(request, response => {
        answered = true
        stopWaiting()
        if (breaks(response)) reject(new TransportError('The connection was reset.', true))
        else resolve(httpResponseOf(response))
      })
      if (answered) return
      stopWaiting = clock.schedule(timeoutMs, () =>
        reject(new TransportError('No answer came in time.', true)),
      )
    })
  })
}

function breaks({ delivery }: ExchangeResponse): boolean {
  return delivery?.reset !== undefined || delivery?.truncateAt !== undefined
}

function httpResponseOf({ status, body, headers }: ExchangeResponse): HttpResponse {
  const retryAfter = headers?.['retry-after']
  return { status, body, ...(retryAfter !== undefined && { retryAfter }) }
}
