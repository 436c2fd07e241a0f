import { describe, expect, it } from 'vitest'
import { defineStrategy, depth, every, klines, of, sma } from '../../src/strategy/index.ts'
import { emptyView } from './strategy-view.ts'

/** A strategy as a file has it that no compiler has seen. */
function unchecked(definition: object) {
  return defineStrategy({ name: 'x', ...definition } as Parameters<typeof defineStrategy>[0]) // that is the point
}

describe('declarations that the compiler has not seen', () => {
  it.each([
    [{ onKlines: () => undefined }, 'Strategy "x" has no part "onKlines". Did you mean "onKline"?'],
    [{ markets: 'hedge' }, 'The markets of strategy "x" are "hedge", but must be a list of roles'],
    [{ timers: { daily: '1d' } }, 'The timer "daily" of strategy "x" is "1d"; write every(\'1d\').'],
    [{ warmUp: 20 }, 'warmUp of strategy "x" is 20, but must be a function: warmUp: () => 20.'],
    [
      { indicators: { average: 20 } },
      'indicators of strategy "x" is {"average":20}, but must be a function: indicators: () => ({ average: sma(20) }).',
    ],
    [
      { onFill: 'log' },
      'onFill of strategy "x" is "log", but must be a function: onFill(fill, context) { … }.',
    ],
  ])('%j are refused at once', (definition, message) => {
    expect(() => unchecked(definition)).toThrow(message)
  })

  const daily = () => ({ daily: klines({ interval: '1d' }) })
  it.each([
    [
      { feeds: () => ({ a: { type: 'kline' } }) },
      'The feed "a" of strategy "x" is {"type":"kline"}, but must be',
    ],
    [
      { markets: ['hedge'], feeds: () => ({ a: { type: 'klines', market: 'hegde' } }) },
      'The feed "a" of strategy "x" is of the market "hegde", which is none of its roles. Did you mean "hedge"?',
    ],
    [
      { feeds: () => ({ a: { type: 'klines', market: 'hedge' } }) },
      "which is none of its roles. Declare it: markets: ['hedge'].",
    ],
    [
      { feeds: () => ({ a: { type: 'klines', interval: '2d' } }) },
      'has the interval "2d", but must have one of 1m,',
    ],
    [
      { feeds: () => ({ a: { ...depth({ levels: 5, everyMs: 1 }), everyMS: 1 } }) },
      'has no field "everyMS". Did you mean "everyMs"?',
    ],
    [
      { feeds: () => ({ a: depth({ levels: 0, everyMs: 1 }) }) },
      'has 0 levels, but must have a whole number',
    ],
    [
      { feeds: () => ({ a: depth({ levels: 5, everyMs: 0 }) }) },
      'has an everyMs of 0, but must have a number of ms',
    ],
    [
      { feeds: daily, on: { dialy: () => undefined } },
      'Strategy "x" has a handler on.dialy, but neither a feed nor a timer of that name. Did you mean "daily"?',
    ],
    [
      { feeds: daily, timers: { daily: every('1d') } },
      'Strategy "x" has a feed and a timer of the name "daily"; rename one.',
    ],
    [
      { feeds: daily, indicators: () => ({ trend: of('dialy', sma(2)) }) },
      'The indicator "trend" of strategy "x" is of the feed "dialy", which it does not have. Did you mean "daily"?',
    ],
    [
      {
        feeds: () => ({ book: depth({ levels: 1, everyMs: 1 }) }),
        indicators: () => ({ a: of('book', sma(2)) }),
      },
      'is of the feed "book", which shows depth, but indicators follow klines.',
    ],
    [{ history: -1 }, 'Strategy "x" has a history of -1, but must have a whole number of klines'],
  ])('%j are refused when a run begins', (definition, message) => {
    expect(() => unchecked(definition).start({}, emptyView())).toThrow(message)
  })
})
