import { describe, expect, it } from 'vitest'
import type { QuotesSignal, QuoteWish } from '../../../src/domain/signal.ts'
import { keepQuotes } from '../../../src/strategy/index.ts'
import { buy, sell, started } from './quote-session.ts'

const WISH: QuoteWish = { side: 'buy', price: 99, size: { base: 1 }, postOnly: true, tag: 'one' }
const FAR: QuoteWish = { side: 'sell', price: 120, size: { base: 1 } }

/** Which of some declarations, one a kline, are told of. */
function toldOf(...declared: readonly QuotesSignal[]): readonly QuotesSignal[] {
  const { session } = started({ ...declared })
  for (let row = 1; row < declared.length; row++) session.kline(100)
  return session.outputs.flatMap(output =>
    output.type === 'signaled' && output.signal.type === 'quotes' ? [output.signal as QuotesSignal] : [],
  )
}

describe('a set of quotes is told of', () => {
  it.each<readonly [string, Partial<QuoteWish>]>([
    ['side', { side: 'sell' }],
    ['price', { price: 98 }],
    ['size in base', { size: { base: 2 } }],
    ['size in quote', { size: { quote: 99 } }],
    ['size by equity', { size: { equityFraction: 0.01 } }],
    ['way to rest', { postOnly: false }],
    ['purpose', { reduceOnly: true }],
    ['tag', { tag: 'two' }],
  ])('where a quote differs in its %s, and not where it is declared again', (_name, change) => {
    const [first, other] = [WISH, { ...WISH, ...change }].map(wish => keepQuotes([FAR, wish]))
    if (first === undefined || other === undefined) throw new Error('There are two.')
    expect(toldOf(first, first, other, other, first)).toEqual([first, other, first])
  })

  it.each<readonly [string, QuoteWish['size'], QuoteWish['size']]>([
    ['base', { base: 1 }, { base: 2 }],
    ['quote', { quote: 100 }, { quote: 200 }],
    ['equity', { equityFraction: 0.01 }, { equityFraction: 0.02 }],
  ])('where a size in %s is another', (_name, size, other) => {
    const sets = [size, other].map(of => keepQuotes([{ ...WISH, size: of }]))
    expect(toldOf(...sets)).toEqual(sets)
  })

  it('where there are more or fewer, none any more, or another tolerance', () => {
    const [one, two, none] = [keepQuotes([FAR]), keepQuotes([FAR, WISH]), keepQuotes([])]
    const loose = keepQuotes([FAR], { tolerance: 0.5 })
    expect(toldOf(none, one, two, one, loose, loose, none, none)).toEqual([one, two, one, loose, none])
  })
})

describe('a quote that the exchange refused', () => {
  const [bid, ask] = [keepQuotes([buy(99)]), keepQuotes([sell(99)])]

  it('is not sent again at the same price, until a declaration without it has come between', () => {
    const { session } = started({ 0: bid, 1: bid, 2: keepQuotes([]), 3: bid })
    session.update(1, 'rejected')
    expect(session.kline(100)).toEqual([])
    expect(session.kline(100)).toEqual([])
    expect(session.kline(100)).toEqual(['entry buy 1 postOnly 99'])
  })

  it('is forgotten by a declaration of the other side at its price', () => {
    const { session } = started({ 0: bid, 1: ask, 2: bid })
    session.update(1, 'rejected')
    expect(session.kline(100)).toEqual(['entry sell 1 postOnly 99'])
    expect(session.kline(100)).toEqual(['cancel 2', 'entry buy 1 postOnly 99'])
  })
})

it('quotes that cannot be sized are denied with a sentence, and what rests stays', () => {
  const { session } = started({ 0: keepQuotes([buy(99)]), 1: keepQuotes([buy(1e30)]) })
  expect(session.kline(100)).toEqual(['denied by checkFailed'])
  const denied = session.outputs.find(output => output.type === 'denied')
  expect(denied?.denial.message).toMatch(/^The quotes could not be sized, so they are denied: ./)
  expect(session.openQuantity(1)).toBe(1)
})

it('quotes that are denied are each reported once', () => {
  // 0.01 at 99 and at 98 are less than 5 USDT.
  const set = keepQuotes([buy(99, 0.01), buy(98, 0.01)])
  const { session, said } = started({ 0: set, 1: set })
  expect(said).toEqual(['denied by minimumNotional', 'denied by minimumNotional'])
  expect(session.kline(100)).toEqual([])
})
