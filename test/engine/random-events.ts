import * as fc from 'fast-check'
import { isWorking } from '../../src/domain/orders/order-status.ts'
import type { EnterSignal, Protection, ProtectSignal, Signal } from '../../src/domain/signal.ts'
import {
  cancelEntries,
  enterLong,
  enterShort,
  exit,
  keepQuotes,
  protect,
  targetPosition,
} from '../../src/strategy/index.ts'
import { EngineSession, type SessionOptions, scripted } from './engine-session.ts'

const protection: fc.Arbitrary<Protection> = fc.constantFrom<Protection>(
  {},
  { stopLoss: { fraction: 0.03 } },
  { stopLoss: { fraction: 0.03 }, takeProfit: { fraction: 0.05 } },
  { takeProfit: { fraction: 0.02 }, trailingStop: { fraction: 0.04 } },
  { trailingStop: [{ callbackRate: 0.05 }, { callbackRate: 0.01, activation: { fraction: 0.02 } }] },
  {
    stopLoss: { fraction: 0.03 },
    takeProfit: [
      { at: { fraction: 0.01 }, fraction: 0.3 },
      { at: { fraction: 0.02 }, fraction: 0.3 },
      { at: { fraction: 0.03 }, fraction: 0.4 },
    ],
  },
  { stopLoss: { fraction: 0.02 }, takeProfit: [{ at: { fraction: 0.02 }, fraction: 0.5 }] },
)

const entry = fc
  .record({
    enter: fc.constantFrom(enterLong, enterShort),
    base: fc.integer({ min: 100, max: 5000 }),
    order: fc.constantFrom(
      { type: 'market' } as const,
      { type: 'limit', price: 100 } as const,
      { type: 'stop', stopPrice: 100, triggerAtOnce: true } as const,
    ),
    scaleIn: fc.boolean(),
    protection,
    terms: fc.constantFrom<Pick<EnterSignal, 'expiresAfter' | 'oco' | 'keep' | 'tag'>>(
      {},
      {},
      { expiresAfter: { klines: 2 } },
      { oco: 'group' },
      { oco: 'group', expiresAfter: { ms: 90_000 } },
      { keep: true },
      { keep: true, tag: 'level' },
    ),
  })
  .map(({ enter, base, order, scaleIn, protection, terms }) =>
    enter({
      size: { base: base / 1000 },
      order,
      scaleIn,
      ...protection,
      ...(order.type === 'market' ? {} : terms),
    }),
  )

const change = fc
  .constantFrom<Omit<ProtectSignal, 'type'>>(
    { stopLoss: { fraction: 0.01 } },
    { stopLoss: 99 },
    { stopLoss: 'none' },
    { takeProfit: { fraction: 0.04 } },
    { takeProfit: [{ at: { fraction: 0.01 }, fraction: 0.5 }], trailingStop: { distance: 2 } },
    { takeProfit: 'none', trailingStop: 'none', tag: 'level' },
  )
  .map(protect)

const quotes = fc.constantFrom(
  keepQuotes([
    { side: 'buy', price: 99, size: { base: 1 } },
    { side: 'sell', price: 101, size: { base: 1 } },
  ]),
  keepQuotes([
    { side: 'buy', price: 98.5, size: { quote: 150 }, postOnly: false, tag: 'level' },
    { side: 'buy', price: 99, size: { base: 1 } },
    { side: 'sell', price: 101, size: { equityFraction: 0.01 }, reduceOnly: true },
  ]),
  keepQuotes([{ side: 'sell', price: 102, size: { base: 2 } }], { name: 'far', tolerance: 0.5 }),
  keepQuotes([]),
)

/** Any signal a strategy could give at a price around 100. */
const anySignal: fc.Arbitrary<Signal> = fc.oneof(
  { weight: 5, arbitrary: entry },
  fc.constantFrom(0.25, 0.5, 1).map(fraction => exit({ fraction })),
  fc.integer({ min: -3000, max: 3000 }).map(base => targetPosition({ base: base / 1000 })),
  fc.constant(cancelEntries()),
  { weight: 2, arbitrary: change },
  { weight: 2, arbitrary: quotes },
  fc.constant(exit({ order: { type: 'stop', stopPrice: 98 }, expiresAfter: { klines: 1 } })),
)

/** What happens next: a kline, or something to the `order`-th working order. */
export type Happening =
  | { readonly type: 'kline'; readonly price: number }
  | { readonly type: 'fill'; readonly order: number; readonly part: number; readonly price: number }
  | { readonly type: 'canceled'; readonly order: number }

const price = fc.integer({ min: 9800, max: 10_200 }).map(cents => cents / 100)
const order = fc.nat(20)

/** Any course of events. */
export const anyHappenings: fc.Arbitrary<readonly Happening[]> = fc.array(
  fc.oneof(
    { weight: 2, arbitrary: fc.record({ type: fc.constant('kline' as const), price }) },
    {
      weight: 4,
      arbitrary: fc.record({
        type: fc.constant('fill' as const),
        order,
        part: fc.constantFrom(0.3, 0.5, 1, 1),
        price,
      }),
    },
    { weight: 1, arbitrary: fc.record({ type: fc.constant('canceled' as const), order }) },
  ),
  { minLength: 10, maxLength: 60 },
)

/** Any strategy that gives signals by kline. */
export const anyScript: fc.Arbitrary<readonly (readonly Signal[])[]> = fc.array(
  fc.array(anySignal, { maxLength: 2 }),
  { minLength: 1, maxLength: 20 },
)

/** Plays a course of events; cancels that the engine asks for are confirmed at once, resizes are believed. */
export function play(
  script: readonly (readonly Signal[])[],
  happenings: readonly Happening[],
  check: (session: EngineSession) => void = () => {},
  options: SessionOptions = {},
): EngineSession {
  const session = new EngineSession(scripted(Object.fromEntries(script.entries())), {
    quote: '100000',
    ...options,
  })
  for (const happening of happenings) {
    step(session, happening)
    check(session)
  }
  return session
}

/** Lets one thing happen; cancels that follow are confirmed at once. */
export function step(session: EngineSession, happening: Happening): void {
  confirmCancels(session, happen(session, happening))
}

function happen(session: EngineSession, happening: Happening): readonly string[] {
  if (happening.type === 'kline') return session.kline(happening.price)
  const working = session.ledger.orders.working.map(({ request }) => request.clientOrderId)
  const id = working[happening.order % working.length]
  const number = session.placed.findIndex(request => request.clientOrderId === id) + 1
  if (number === 0) return []
  const { reduceOnly, protects } = session.order(number)
  if (happening.type === 'canceled') return protects === undefined ? session.update(number, 'canceled') : []
  const open = session.openQuantity(number)
  const possible = reduceOnly ? Math.min(open, Math.abs(session.held)) : open
  const quantity = Math.max(0.001, Math.floor(possible * happening.part * 1000) / 1000)
  return possible > 0 ? session.fill(number, happening.price, quantity) : []
}

/** Confirms every cancel that the engine asked for in words, and those that follow from that. */
export function confirmCancels(session: EngineSession, words: readonly string[]): void {
  for (const word of words) {
    const [, number, cause] = /^cancel (\d+)(?:: (\w+))?$/.exec(word) ?? []
    if (number === undefined) continue
    const order = session.ledger.orders.get(session.order(Number(number)).clientOrderId)
    if (order === undefined || !isWorking(order.status)) continue
    confirmCancels(session, session.update(Number(number), cause === 'expired' ? 'expired' : 'canceled'))
  }
}
