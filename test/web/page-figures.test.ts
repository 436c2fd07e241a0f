import { describe, expect, it } from 'vitest'

/** The page is JavaScript for browsers, which the type checker of the tests does not read. */
const PAGE = new URL('../../src/web/page/', import.meta.url).pathname
const { moneyDecimals, termText } = await import(/* @vite-ignore */ `${PAGE}figures.js`)

describe('figures of the page', () => {
  it.each([
    [['1.698408543', '-5.3720373852', '0.01'], 2],
    [['0.5234213058'], 3],
    [['-0.00012', '0.00005'], 6],
    [['0.0000000001'], 8],
    [['0'], 2],
    [[], 2],
  ])('of %j have %i decimals, all of a column the same', (amounts, decimals) => {
    expect(moneyDecimals(amounts)).toBe(decimals)
  })

  it('name purposes, states and rules in the words of the log', () => {
    expect(
      ['trailingStop', 'stopLoss', 'takeProfit', 'exit', 'partiallyFilled', 'maxNotional'].map(termText),
    ).toEqual(['trailing stop', 'stop-loss', 'take-profit', 'exit', 'partially filled', 'maximum notional'])
  })
})
