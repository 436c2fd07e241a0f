import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Instrument } from '../../../src/domain/instrument.ts'
import { amountOf, rateOf } from '../../../src/domain/numbers/amount.ts'
import { enterLong, enterShort, targetPosition } from '../../../src/strategy/index.ts'
import { EngineSession, MARGIN, scripted } from '../engine-session.ts'

/** More by hand: `RUNS=20000 npx vitest run test/engine/decisions/target-bounds.test.ts`. */
const RUNS = Number(process.env.RUNS ?? 400)

/** Fees in quote, in hundredths of a percent. */
const instrumentOf = (kind: Kind, leverage: number, feeBps: number): Instrument => {
  const rate = rateOf(`${feeBps / 10_000}`)
  const common = { ...MARGIN, fees: { maker: rate, taker: rate, paidIn: 'quote' as const } }
  if (kind === 'margin') return { ...common, leverage: { min: 1, max: leverage } }
  if (kind === 'ownFunds') return { ...common, ownFundsOnly: true, leverage: { min: 1, max: 1 } }
  if (kind === 'spot') return { ...common, accountType: 'spot', leverage: { min: 1, max: 1 } }
  const terms = { maintenance: [], leverage, marginMode: 'isolated', positionMode: 'oneWay' } as const
  const contractSize = amountOf('0.001')
  return { ...common, accountType: 'futures', quantityPrecision: 0, contractSize, futures: terms }
}

type Kind = 'spot' | 'ownFunds' | 'margin' | 'futures'

/** An account of 1000 USDT (and 0.2 BTC, where it trades own funds) that enters at one price and declares a target at another. */
interface Case {
  readonly kind: Kind
  readonly leverage: number
  readonly feeBps: number
  /** Thousandths of base held, worth more than the smallest order; short below 0, bought or sold at `entryPrice` cents. */
  readonly held: number
  readonly entryPrice: number
  /** Cents. */
  readonly price: number
  /** Thousandths of base. */
  readonly target: number
}

const cases: fc.Arbitrary<Case> = fc.record({
  kind: fc.constantFrom<Kind>('spot', 'ownFunds', 'margin', 'futures'),
  leverage: fc.constantFrom(1, 2, 4, 5, 10),
  feeBps: fc.constantFrom(0, 2, 5, 10),
  held: fc.oneof(fc.constant(0), fc.integer({ min: 10, max: 4000 }), fc.integer({ min: -4000, max: -10 })),
  entryPrice: fc.integer({ min: 95_000, max: 200_000 }),
  price: fc.integer({ min: 95_000, max: 200_000 }),
  target: fc.integer({ min: -12_000, max: 12_000 }).filter(target => target !== 0),
})

const OWNED = 200 // thousandths of base of an account of own funds
const SMALLEST = 5n * 10n ** 9n

/** Money in 10^-9 USDT: a cent times a thousandth of base is 10^-5 USDT. */
const worth = (cents: number, thousandths: number) => BigInt(cents) * BigInt(thousandths) * 10_000n
const feeOn = (value: bigint, { feeBps }: Case) => (value * BigInt(feeBps)) / 10_000n

/** Whether the account can take so many thousandths more on the side of the target: plain bookkeeping, account by account. */
function canTake(quantity: number, given: Case): boolean {
  const { kind, leverage, held, entryPrice, price, target } = given
  const isLong = target > 0
  const isTurn = held !== 0 && held > 0 !== isLong
  const entered = worth(entryPrice, Math.abs(held))
  const paid = feeOn(entered, given)
  const wanted = worth(price, quantity)
  const cost = wanted + feeOn(wanted, given)
  const start = 1000n * 10n ** 9n
  const cash = start - paid - (held > 0 ? entered : -entered)
  if (kind === 'spot') return isLong && cost <= cash
  if (kind === 'ownFunds') {
    const buyBack = worth(price, Math.abs(held))
    if (isLong) return cost <= cash - (isTurn ? buyBack + feeOn(buyBack, given) : 0n)
    return quantity <= (held < 0 ? OWNED + held : OWNED)
  }
  if (kind === 'margin') {
    const equity = cash + worth(price, held)
    const after = isTurn ? quantity : quantity + Math.abs(held)
    return worth(price, after) + feeOn(wanted, given) <= equity * BigInt(leverage)
  }
  const margin = entered / BigInt(leverage)
  const loss = worth(price - entryPrice, held)
  const freed = margin + (loss < 0n ? loss : 0n) - paid
  const free = start - paid - margin + (isTurn ? freed : 0n)
  return wanted / BigInt(leverage) + feeOn(wanted, given) <= free
}

/** What a target is expected to lead to. */
function naive(given: Case): readonly string[] {
  const { held, price, target } = given
  const isTurn = held !== 0 && held > 0 !== target > 0
  const growth = Math.abs(target) - (isTurn ? 0 : Math.abs(held))
  const [side, back] = target > 0 ? (['buy', 'sell'] as const) : (['sell', 'buy'] as const)
  const closing = isTurn ? [`exit ${side} ${Math.abs(held) / 1000} market reduceOnly`] : []
  const isOrder = (quantity: number) => quantity > 0 && worth(price, quantity) >= SMALLEST
  if (held !== 0 && !isTurn && !isOrder(Math.abs(growth))) return []
  if (growth < 0) return [`exit ${back} ${-growth / 1000} market reduceOnly`]
  let quantity = growth
  while (quantity > 0 && !canTake(quantity, given)) quantity--
  return isOrder(quantity) ? [...closing, `entry ${side} ${quantity / 1000} market`] : [...closing, 'denied']
}

/** What the engine makes of it; `undefined` where the account cannot even hold what it should. */
function played({ kind, leverage, feeBps, held, entryPrice, price, target }: Case) {
  const size = { base: Math.abs(held) / 1000 }
  const enter = held > 0 ? enterLong({ size }) : enterShort({ size })
  const script = { ...(held !== 0 && { 0: enter }), 1: targetPosition({ base: target / 1000 }) }
  const session = new EngineSession(scripted(script), {
    instrument: instrumentOf(kind, leverage, feeBps),
    quote: '1000',
    ...(kind === 'ownFunds' && { base: `${OWNED / 1000}` }),
  })
  session.kline(entryPrice / 100)
  if (held !== 0 && session.placed.length === 0) return undefined
  if (held !== 0) session.fill(1, entryPrice / 100)
  return session.kline(price / 100).map(words => (words.startsWith('denied') ? 'denied' : words))
}

const CASE: Case = {
  kind: 'futures',
  leverage: 4,
  feeBps: 0,
  held: 0,
  entryPrice: 100_000,
  price: 100_000,
  target: 5_000,
}

describe('a target beyond what the account can hold', () => {
  // 1000 USDT at leverage 4 hold 4000 USDT: 4 BTC at 1000; with a fee of 0.1% 1000 ÷ (250 + 1) = 3.984…
  it.each<readonly [string, Partial<Case>, readonly string[]]>([
    ['on futures, long', {}, ['entry buy 4 market']],
    ['on futures, short', { target: -5_000 }, ['entry sell 4 market']],
    ['on futures, with a fee', { feeBps: 10 }, ['entry buy 3.984 market']],
    ['on futures, with a position', { held: 3_000 }, ['entry buy 1 market']],
    [
      'on futures, on the other side',
      { held: -3_000 },
      ['exit buy 3 market reduceOnly', 'entry buy 4 market'],
    ],
    // The short of 3 has lost 150 at 1050: 850 × 4 ÷ 1050 = 3.238…
    [
      'on futures, out of a loss',
      { held: -3_000, price: 105_000 },
      ['exit buy 3 market reduceOnly', 'entry buy 3.238 market'],
    ],
    ['on futures, where nothing is left', { held: 4_000 }, ['denied']],
    ['on margin', { kind: 'margin' }, ['entry buy 4 market']],
    ['on margin, short', { kind: 'margin', target: -5_000 }, ['entry sell 4 market']],
    [
      'on margin, on the other side',
      { kind: 'margin', held: 3_000, target: -5_000 },
      ['exit sell 3 market reduceOnly', 'entry sell 4 market'],
    ],
    ['on spot', { kind: 'spot' }, ['entry buy 1 market']],
    ['on spot, short', { kind: 'spot', target: -5_000 }, ['denied']],
    ['on margin of own funds', { kind: 'ownFunds' }, ['entry buy 1 market']],
    ['on margin of own funds, short', { kind: 'ownFunds', target: -5_000 }, ['entry sell 0.2 market']],
  ])('is traded as far as that goes: %s', (_name, fields, words) => {
    const given = { ...CASE, ...fields }
    expect(played(given)).toEqual(words)
    expect(naive(given)).toEqual(words)
  })

  it('is what plain bookkeeping of each account says', () => {
    fc.assert(
      fc.property(cases, given => {
        const said = played(given)
        fc.pre(said !== undefined)
        expect(said).toEqual(naive(given))
      }),
      { numRuns: RUNS },
    )
  })
})
