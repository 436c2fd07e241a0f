import type { Clock } from '../src/domain/clock.ts'
import type { Transport } from '../src/exchange/transport.ts'
import type { SimulatedExchange } from '../src/simulator/simulated-exchange.ts'

/** Carries requests to a simulated exchange in the same process, at the clock's time: no sockets, hence virtual time. */
export function inProcessTransport(exchange: SimulatedExchange, clock: Clock): Transport {
  return async ({ method, url, headers, body }) => {
    const { pathname, search } = new URL(url)
    const lowerCase = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
    )
    return exchange.handle({ method, target: `${pathname}${search}`, headers: lowerCase, body }, clock.now())
  }
}
