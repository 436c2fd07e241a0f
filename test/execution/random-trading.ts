import fc from 'fast-check'
import type { Kline } from '../../src/domain/market-data/kline.ts'
import { steps, ticks } from '../../src/domain/numbers/grid.ts'
import type { OrderDraft, OrderSpec } from '../../src/domain/orders/order-request.ts'
import { ANSWER_LOST, type Journey, REQUEST_LOST } from '../faulty-transport.ts'
import { klinesOf } from '../simulator/exchange-caller.ts'

/** An order of a random session. */
export interface RandomOrder {
  /** ms after the start. */
  readonly at: number
  readonly fields: Partial<OrderDraft>
  /** ms after its placement; `undefined`: never. */
  readonly cancelAfter: number | undefined
}

/** Somebody else's order. */
export interface StrangerOrder {
  /** ms after the start. */
  readonly at: number
  readonly side: 'BUY' | 'SELL'
  /** Quote per base. */
  readonly price: number
  /** Base units. */
  readonly quantity: number
}

/** A session in which everything may go wrong. */
export interface RandomTrading {
  readonly klines: readonly Kline[]
  readonly isQuoted: boolean
  readonly orders: readonly RandomOrder[]
  readonly strangers: readonly StrangerOrder[]
  /** How the requests travel, one after the other, then from the first again. */
  readonly journeys: readonly Journey[]
}

/** How long a session is disturbed, ms. */
export const DISTURBED_MS = 60_000

const answer = (status: number, body: string): Journey => ({ answer: { status, body } })

const journey: fc.Arbitrary<Journey> = fc.oneof(
  { weight: 6, arbitrary: fc.constant({}) },
  fc.constant({ refused: true }),
  fc.constant(REQUEST_LOST),
  fc.constant(ANSWER_LOST),
  fc.nat(8000).map(thereMs => ({ thereMs })),
  fc.nat(3000).map(backMs => ({ backMs })),
  fc.constant(answer(504, '')),
  fc.constant(answer(200, '<html>')),
  fc.constant(answer(400, '{"code":-1007,"msg":"Timeout."}')),
)

const price = fc.integer({ min: 9_850, max: 10_150 }).map(ticks)

const spec: fc.Arbitrary<OrderSpec> = fc.oneof(
  fc.constant({ type: 'market' } as const),
  price.map(limit => ({ type: 'limit', price: limit }) as const),
  price.map(stopPrice => ({ type: 'stop', stopPrice }) as const),
)

const order: fc.Arbitrary<RandomOrder> = fc.record({
  at: fc.nat(DISTURBED_MS),
  fields: fc.record({
    side: fc.constantFrom('buy', 'sell'),
    spec,
    quantity: fc.integer({ min: 50, max: 3000 }).map(steps),
  }),
  cancelAfter: fc.option(fc.nat(20_000), { nil: undefined }),
})

const stranger: fc.Arbitrary<StrangerOrder> = fc.record({
  at: fc.nat(DISTURBED_MS),
  side: fc.constantFrom('BUY', 'SELL'),
  price: fc.integer({ min: 9_850, max: 10_150 }).map(cents => cents / 100),
  quantity: fc.integer({ min: 200, max: 2000 }).map(thousandths => thousandths / 1000),
})

/** A minute's four prints, all within 1.5% of 100. */
const path = fc
  .tuple(...Array.from({ length: 4 }, () => fc.integer({ min: 9_850, max: 10_150 })))
  .map(cents => {
    const [open = 0, close = 0] = cents
    return [open / 100, Math.max(...cents) / 100, Math.min(...cents) / 100, close / 100] as const
  })

/** Any session. */
export const randomTrading: fc.Arbitrary<RandomTrading> = fc.record({
  klines: fc.array(path, { minLength: 1, maxLength: 2 }).map(paths => klinesOf(...paths)),
  isQuoted: fc.boolean(),
  orders: fc.array(order, { minLength: 1, maxLength: 12 }),
  strangers: fc.array(stranger, { maxLength: 8 }),
  journeys: fc.array(journey, { minLength: 1, maxLength: 40 }),
})
