import { describe, expect, it } from 'vitest'
import { signalProblem } from '../../../src/strategy/checks/signal-check.ts'

const set = (quotes: unknown, fields: object = {}) => ({ type: 'quotes', quotes, ...fields })
const BID = { side: 'buy', price: 9, size: { base: 1 } }
const ASK = { side: 'sell', price: 10, size: { base: 1 } }

describe('a set of quotes with a problem', () => {
  it.each<[string, unknown, string]>([
    ['no list', set(BID), 'Its quotes are {"side":"buy","price":9,"size":{"base":1}}, but must be a list.'],
    [
      'a misspelt field',
      set([], { tolerence: 1 }),
      'A signal "quotes" has no field "tolerence". Did you mean "tolerance"?',
    ],
    ['an empty name', set([], { name: '' }), 'Its name is "", but must be a text that is not empty.'],
    [
      'a tolerance of all',
      set([], { tolerance: 1 }),
      'Its tolerance is 1, but must be a number from 0 to below 1.',
    ],
    ['no tolerance at all', set([], { tolerance: Number.NaN }), 'Its tolerance is NaN, but must be'],
    [
      'nothing for a quote',
      set([undefined]),
      'One of its quotes is undefined, but must be { side, price, size }.',
    ],
    [
      'a misspelt field of a quote',
      set([{ ...BID, prize: 1 }]),
      'A quote has no field "prize". Did you mean "price"?',
    ],
    [
      'no side',
      set([{ ...BID, side: 'bid' }]),
      'One of its quotes has the side "bid", but must have "buy" or "sell".',
    ],
    [
      'no price',
      set([{ ...BID, price: Number.NaN }]),
      'Its buy quote has the price NaN, but must have a finite number above 0.',
    ],
    ['a price of nothing', set([{ ...ASK, price: 0 }]), 'Its sell quote has the price 0, but must'],
    [
      'no size',
      set([{ side: 'buy', price: 9 }]),
      'Its buy quote at 9 has the size undefined, but must have exactly one of quote, base, equityFraction, finite and above 0.',
    ],
    [
      'two sizes',
      set([{ ...BID, size: { base: 1, quote: 1 } }]),
      'has the size {"base":1,"quote":1}, but must',
    ],
    [
      'a size by risk',
      set([{ ...BID, size: { riskFraction: 0.1 } }]),
      'has the size {"riskFraction":0.1}, but must',
    ],
    ['a size below nothing', set([{ ...BID, size: { base: -1 } }]), 'has the size {"base":-1}, but must'],
    [
      'a flag that is none',
      set([{ ...ASK, postOnly: 'yes' }]),
      'Its sell quote at 10 has the postOnly "yes", but must have true or false.',
    ],
    [
      'a tag that is no text',
      set([{ ...ASK, tag: 1 }]),
      'Its sell quote at 10 has the tag 1, but must have a text.',
    ],
    [
      'sides that cross',
      set([ASK, { ...BID, price: 10 }]),
      'It buys at 10 and sells at 10, but every buy must be below every sell.',
    ],
  ])('is told: %s', (_name, signal, problem) => {
    expect(signalProblem(signal)).toContain(problem)
  })
})
