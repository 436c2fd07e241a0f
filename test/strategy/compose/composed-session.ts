import type { Signal } from '../../../src/domain/signal.ts'
import { compose, definePart, type Part, type Strategy } from '../../../src/strategy/index.ts'
import { EngineSession, scripted } from '../../engine/engine-session.ts'

/** A kline that stands still. */
export const flat = (price: number) => [price, price, price, price] as const

/** A session of a composed strategy that signals by a script. */
export function composed(
  script: Readonly<Record<number, Signal | readonly Signal[]>>,
  ...parts: Part[]
): EngineSession {
  return new EngineSession(compose(scripted(script), { name: 'composed', parts: () => parts }))
}

/** Allows nothing while a flag is set. */
export function switchedOff(flag: { off: boolean }): Part {
  return definePart({ name: 'switch', allows: () => !flag.off })
}

/** Stops at what a list says, kline by kline. */
export function stopsAt(...levels: readonly (number | undefined)[]): Part {
  let kline = 0
  return definePart({ name: 'stops', stopOf: () => levels[kline++] })
}

/** A session of some klines; entries and exits at market fill before the next of them, stops where a kline reaches them. */
export function played(strategy: Strategy): EngineSession {
  const session = new EngineSession(strategy)
  for (let row = 0; row < 80; row++) {
    const price = 100 + ((row * 7) % 11)
    for (let number = 1; number <= session.placed.length; number++) {
      const { spec, clientOrderId } = session.order(number)
      const isOpen = session.ledger.orders.working.some(
        ({ request }) => request.clientOrderId === clientOrderId,
      )
      const isReached = spec.type === 'market' || (spec.type === 'stop' && price * 100 <= spec.stopPrice)
      if (isOpen && isReached) session.fill(number, price)
    }
    for (const said of session.kline(price)) {
      const canceled = /^cancel (\d+)/.exec(said)?.[1]
      if (canceled !== undefined) session.update(Number(canceled), 'canceled')
    }
  }
  return session
}
