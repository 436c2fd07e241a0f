import { describe, expect, it } from 'vitest'
import { signalProblem } from '../../../src/strategy/checks/signal-check.ts'
import {
  cancelEntries,
  enterLong,
  enterShort,
  exit,
  keepQuotes,
  protect,
  targetPosition,
} from '../../../src/strategy/index.ts'

const NAN = Number.NaN
const LIMIT = { type: 'limit', price: 5 } as const
const enter = (fields: object) => ({ type: 'enter', direction: 'long', ...fields })

describe('a signal without a problem', () => {
  it.each([
    ['long at market', enterLong()],
    [
      'short, with everything',
      enterShort({ size: { quote: 50 }, stopLoss: 110, takeProfit: 90, tag: 'x', scaleIn: true }),
    ],
    ['at a limit', enterLong({ order: { type: 'limit', price: 0.01 } })],
    ['at a stop', enterLong({ order: { type: 'stop', stopPrice: 101 } })],
    ['at a stop with a limit', enterLong({ order: { type: 'stopLimit', stopPrice: 101, price: 102 } })],
    ['by base', enterLong({ size: { base: 1e-8 } })],
    ['by equity', enterLong({ size: { equityFraction: 2 } })],
    ['by risk', enterLong({ size: { riskFraction: 0.01 }, stopLoss: { fraction: 0.02 } })],
    ['by risk, capped', enterLong({ size: { riskFraction: 0.01, maxEquityFraction: 0.95 }, stopLoss: 90 })],
    ['with a trailing distance', enterLong({ trailingStop: { distance: 5 } })],
    [
      'with a callback rate and an activation',
      enterLong({ trailingStop: { callbackRate: 0.05, activation: 120 } }),
    ],
    [
      'with several trailing stops',
      enterLong({
        trailingStop: [{ fraction: 0.1 }, { callbackRate: 0.05, activation: { fraction: 0.05 } }],
      }),
    ],
    ['with a trailing fraction', enterLong({ trailingStop: { fraction: 0.05 } })],
    [
      'at a limit that waits',
      enterLong({ order: { type: 'limit', price: 1, timeInForce: 'GTC', postOnly: true } }),
    ],
    [
      'at a limit that does not',
      enterLong({ order: { type: 'limit', price: 1, timeInForce: 'FOK', postOnly: false } }),
    ],
    ['if touched', enterLong({ order: { type: 'ifTouched', triggerPrice: 1 } })],
    ['for some klines', enterLong({ order: LIMIT, expiresAfter: { klines: 3 } })],
    [
      'for some time, in a group, to be kept',
      enterLong({ order: LIMIT, expiresAfter: { ms: 0.5 }, oco: 'x', keep: true }),
    ],
    ['not to be kept', enterLong({ keep: false })],
    [
      'with a take-profit in parts',
      enterLong({
        takeProfit: [
          { at: 5, fraction: 0.1 },
          { at: { fraction: 1 }, fraction: 0.9 },
        ],
      }),
    ],
    ['of an exit at a stop', exit({ order: { type: 'stop', stopPrice: 5 }, expiresAfter: { klines: 1 } })],
    ['of an exit at a stop limit', exit({ order: { type: 'stopLimit', stopPrice: 5, price: 4 } })],
    [
      'of a change of protection',
      protect({ stopLoss: 5, takeProfit: 'none', trailingStop: { distance: 1 }, tag: 'x' }),
    ],
    ['of an exit', exit()],
    ['of half an exit at a limit', exit({ fraction: 0.5, order: { type: 'limit', price: 1 }, tag: 'half' })],
    ['of a whole exit', exit({ fraction: 1 })],
    ['of a short target', targetPosition({ equityFraction: -0.5 })],
    ['of a flat target', targetPosition({ base: 0 }, { order: { type: 'market' } })],
    ['of a cancel', cancelEntries({ tag: 'x' })],
    ['of no quotes', keepQuotes([])],
    [
      'of quotes',
      keepQuotes(
        [
          { side: 'buy', price: 9, size: { quote: 5 } },
          {
            side: 'sell',
            price: 10,
            size: { equityFraction: 0.1 },
            postOnly: false,
            reduceOnly: true,
            tag: 'x',
          },
        ],
        { name: 'inner', tolerance: 0 },
      ),
    ],
    ['with undefined fields', enter({ order: undefined, size: undefined, stopLoss: undefined })],
  ])('passes: %s', (_name, signal) => {
    expect(signalProblem(signal)).toBeUndefined()
  })
})

describe('a signal with a problem', () => {
  it.each<[string, unknown, string]>([
    ['no object', 'buy', 'It returned buy, which is no signal.'],
    ['null', null, 'It returned null, which is no signal.'],
    [
      'a promise',
      Promise.resolve(undefined),
      'It returned a promise, but signals must be there when the handler returns: leave out async and await.',
    ],
    ['no type', {}, 'It returned a signal of type undefined, which does not exist.'],
    ['an unknown type', { type: 'buy' }, 'It returned a signal of type "buy", which does not exist.'],
    ['a name every object has', { type: 'toString' }, 'of type "toString", which does not exist.'],
    [
      'a misspelt field',
      enter({ stoploss: 1 }),
      'A signal "enter" has no field "stoploss". Did you mean "stopLoss"?',
    ],
    [
      'a field of another signal',
      { type: 'exit', size: { base: 1 } },
      'A signal "exit" has no field "size".',
    ],
    ['no direction', { type: 'enter' }, 'Its direction is undefined, but must be "long" or "short".'],
    ['a wrong direction', enter({ direction: 'up' }), 'Its direction is "up", but must be'],
    [
      'an order that is text',
      enter({ order: 'market' }),
      'Its order is "market", but must be of type market, limit,',
    ],
    [
      'an unknown order',
      enter({ order: { type: 'iceberg' } }),
      'Its order is {"type":"iceberg"}, but must be',
    ],
    [
      'a limit at NaN',
      enter({ order: { type: 'limit', price: NAN } }),
      'Its limit order has the price NaN, but',
    ],
    [
      'a limit without a price',
      enter({ order: { type: 'limit' } }),
      'Its limit order has the price undefined',
    ],
    [
      'a stop at zero',
      enter({ order: { type: 'stop', stopPrice: 0 } }),
      'Its stop order has the stopPrice 0',
    ],
    [
      'half a stop limit',
      enter({ order: { type: 'stopLimit', stopPrice: 5, price: -1 } }),
      'Its stopLimit order has the price -1, but a price must be a finite number above 0.',
    ],
    [
      'a target at a stop',
      { type: 'target', size: { base: 1 }, order: { type: 'stopLimit', stopPrice: 5, price: 5 } },
      'but must be of type market, limit, with its prices.',
    ],
    [
      'two sizes',
      enter({ size: { base: 1, quote: 2 } }),
      'Its size is {"base":1,"quote":2}; give exactly one of',
    ],
    ['no size in the size', enter({ size: {} }), 'Its size is {}; give exactly one of quote, base,'],
    ['a bare number as size', enter({ size: 5 }), 'Its size is 5; give exactly one of'],
    ['an unknown size', enter({ size: { percent: 5 } }), 'Its size is {"percent":5}; give exactly one of'],
    [
      'a size of zero',
      enter({ size: { base: 0 } }),
      'Its size base is 0, but must be a finite number above 0.',
    ],
    ['a negative size', enter({ size: { quote: -5 } }), 'Its size quote is -5, but must be'],
    ['an infinite size', enter({ size: { equityFraction: 1 / 0 } }), 'Its size equityFraction is Infinity'],
    [
      'a cap of another size than one by risk',
      enter({ size: { quote: 100, maxEquityFraction: 0.5 } }),
      'Its size has the keys quote and maxEquityFraction, but maxEquityFraction only caps a riskFraction.',
    ],
    [
      'everything at risk',
      enter({ size: { riskFraction: 1 }, stopLoss: 90 }),
      'Its size riskFraction is 1, but must be a fraction above 0 and below 1, such as 0.01',
    ],
    [
      'more than everything at risk',
      enter({ size: { riskFraction: 1.5 }, stopLoss: 90 }),
      'Its size riskFraction is 1.5, but must be a fraction above 0 and below 1, such as 0.01',
    ],
    [
      'a cap alone',
      enter({ size: { maxEquityFraction: 0.5 } }),
      'Its size is {"maxEquityFraction":0.5}; give',
    ],
    [
      'a cap of zero',
      enter({ size: { riskFraction: 0.01, maxEquityFraction: 0 } }),
      'Its size maxEquityFraction is 0, but must be a finite number above 0.',
    ],
    [
      'a capped target',
      { type: 'target', size: { equityFraction: 1, maxEquityFraction: 0.5 } },
      'Its size has the keys equityFraction and maxEquityFraction, but maxEquityFraction only caps',
    ],
    ['a target without a size', { type: 'target' }, 'A target needs a size.'],
    ['a target of NaN', { type: 'target', size: { base: NAN } }, 'Its target size base is NaN, but must be'],
    [
      'a target by risk',
      { type: 'target', size: { riskFraction: 1 } },
      'Its target size riskFraction is 1, but',
    ],
    [
      'an unknown time in force',
      enter({ order: { ...LIMIT, timeInForce: 'GTD' } }),
      'Its timeInForce is "GTD", but must be one of GTC, IOC, FOK.',
    ],
    [
      'a post-only that is no answer',
      enter({ order: { ...LIMIT, postOnly: 1 } }),
      'Its postOnly is 1, but must be true or false.',
    ],
    [
      'post-only at once',
      enter({ order: { ...LIMIT, postOnly: true, timeInForce: 'IOC' } }),
      'Its order is postOnly and IOC, but a maker-only order cannot trade at once. Leave one of the two out.',
    ],
    [
      'a misspelt time in force',
      enter({ order: { ...LIMIT, timeinForce: 'IOC' } }),
      'A limit order has no field "timeinForce". Did you mean "timeInForce"?',
    ],
    [
      'a stop that is post-only',
      enter({ order: { type: 'stop', stopPrice: 5, postOnly: true } }),
      'Its stop order has the field postOnly, which is for limit orders only.',
    ],
    [
      'a touch without a price',
      enter({ order: { type: 'ifTouched' } }),
      'Its ifTouched order has the triggerPrice undefined',
    ],
    [
      'half a kline to live',
      enter({ order: LIMIT, expiresAfter: { klines: 0.5 } }),
      'Its expiresAfter is {"klines":0.5}, but must be { klines } with a whole number above 0 or { ms } with a number above 0.',
    ],
    [
      'no time to live',
      enter({ order: LIMIT, expiresAfter: { ms: 0 } }),
      'Its expiresAfter is {"ms":0}, but',
    ],
    ['a bare number to live', enter({ order: LIMIT, expiresAfter: 5 }), 'Its expiresAfter is 5, but'],
    [
      'two times to live',
      enter({ order: LIMIT, expiresAfter: { ms: 5, klines: 5 } }),
      'Its expiresAfter is {"ms":5,"klines":5}, but',
    ],
    [
      'a time to live at market',
      enter({ expiresAfter: { klines: 1 } }),
      'It has the field expiresAfter, but its order does not rest: it trades at once.',
    ],
    [
      'a time to live at once',
      enter({ order: { ...LIMIT, timeInForce: 'IOC' }, expiresAfter: { klines: 1 } }),
      'It has the field expiresAfter, but its order does not rest',
    ],
    [
      'a group without a name',
      enter({ order: LIMIT, oco: '' }),
      'Its oco is "", but must be the name of a group.',
    ],
    ['a group at market', enter({ oco: 'x' }), 'It has the field oco, but its order does not rest'],
    [
      'a keep that is no answer',
      enter({ order: LIMIT, keep: 'yes' }),
      'Its keep is "yes", but must be true or false.',
    ],
    ['a keep at market', enter({ keep: true }), 'It has the field keep, but its order does not rest'],
    [
      'no parts',
      enter({ takeProfit: [] }),
      'Its takeProfit is an empty list; leave it out, or name at least one part.',
    ],
    [
      'a part of nothing',
      enter({ takeProfit: [{ at: 5, fraction: 0 }] }),
      'Its takeProfit has the part {"at":5,"fraction":0}, but a part must be { at, fraction }, with a fraction above 0.',
    ],
    [
      'a part without a price',
      enter({ takeProfit: [{ fraction: 0.5 }] }),
      'Its takeProfit has the part {"fraction":0.5}, whose "at" must be a price or { fraction }, finite and above 0.',
    ],
    [
      'parts of more than all',
      enter({
        takeProfit: [
          { at: 5, fraction: 0.75 },
          { at: 6, fraction: 0.5 },
        ],
      }),
      'The fractions of its takeProfit add up to 1.25, but may be 1 at most.',
    ],
    [
      'a stop-loss in parts',
      enter({ stopLoss: [{ at: 5, fraction: 1 }] }),
      'Its stopLoss is [{"at":5,"fraction":1}], but must be',
    ],
    ['no stop-loss on an entry', enter({ stopLoss: 'none' }), 'Its stopLoss is "none", but must be'],
    [
      'a protection with nothing',
      { type: 'protect', tag: 'x' },
      'It protects with nothing; give stopLoss, takeProfit or trailingStop, as a level or as "none".',
    ],
    ['a protection at NaN', { type: 'protect', stopLoss: NAN }, 'Its stopLoss is NaN, but must be'],
    ['an exit in a group', { type: 'exit', oco: 'x' }, 'A signal "exit" has no field "oco".'],
    ['an exit of nothing', exit({ fraction: 0 }), 'Its fraction is 0, but must be above 0 and at most 1.'],
    ['an exit of more than all', exit({ fraction: 1.01 }), 'Its fraction is 1.01, but must be'],
    [
      'a stop-loss at NaN',
      enterLong({ stopLoss: NAN }),
      'Its stopLoss is NaN, but must be a price or a distance',
    ],
    ['a stop-loss below zero', enterLong({ stopLoss: -1 }), 'Its stopLoss is -1, but must be'],
    [
      'a stop-loss at a fraction of NaN',
      enterLong({ stopLoss: { fraction: NAN } }),
      'Its stopLoss is {"fraction":"NaN"}, but must be',
    ],
    [
      'a take-profit by distance',
      enter({ takeProfit: { distance: 5 } }),
      'Its takeProfit is {"distance":5}, but',
    ],
    ['a take-profit of nothing', enterLong({ takeProfit: 0 }), 'Its takeProfit is 0, but must be'],
    ['a trailing stop at a price', enter({ trailingStop: 5 }), 'Its trailingStop is 5, but must be'],
    [
      'a market order that may trigger at once',
      enter({ order: { type: 'market', triggerAtOnce: true } }),
      'Its market order has the field triggerAtOnce, which is for stop, stopLimit and ifTouched orders only.',
    ],
    [
      'a limit order that may trigger at once',
      enter({ order: { type: 'limit', price: 5, triggerAtOnce: true } }),
      'A limit order has no field "triggerAtOnce".',
    ],
    [
      'an odd triggerAtOnce',
      enter({ order: { type: 'stop', stopPrice: 5, triggerAtOnce: 'yes' } }),
      'Its triggerAtOnce is "yes", but must be true or false.',
    ],
    [
      'a trailing stop of two distances',
      enter({ trailingStop: { distance: 1, callbackRate: 0.1 } }),
      'must be { distance }, { fraction } or { callbackRate }',
    ],
    [
      'a trailing stop with a field that does not exist',
      enter({ trailingStop: { distance: 1, offset: 0.1 } }),
      'must be { distance }, { fraction } or { callbackRate }',
    ],
    [
      'a stop-loss of the whole price',
      enter({ stopLoss: { fraction: 1 } }),
      'has the fraction 1, but that is a part of the entry price and must be below 1; 0.02 is 2%.',
    ],
    [
      'a callback rate in percent',
      enter({ trailingStop: { callbackRate: 2 } }),
      'has the callbackRate 2, but that is a fraction of the best price and must be below 1; 0.02 is 2%.',
    ],
    [
      'an activation below 0',
      enter({ trailingStop: { distance: 1, activation: { fraction: -0.1 } } }),
      'has the activation {"fraction":-0.1}, but that must be a price or { fraction }',
    ],
    ['a list of no trailing stops', enter({ trailingStop: [] }), 'Its trailingStop is an empty list'],
    [
      'a list with a wrong trailing stop',
      enter({ trailingStop: [{ distance: 1 }, 5] }),
      'Its trailingStop is 5, but must be',
    ],
    ['a trailing stop of nothing', enter({ trailingStop: {} }), 'Its trailingStop is {}, but must be'],
    [
      'a target with a wrong stop-loss',
      targetPosition({ base: 1 }, { stopLoss: NAN }),
      'Its stopLoss is NaN',
    ],
  ])('is told: %s', (_name, signal, problem) => {
    expect(signalProblem(signal)).toContain(problem)
  })
})
