import { describe, expect, it } from 'vitest'

/** The page is JavaScript for browsers, which the type checker of the tests does not read. */
const PAGE = new URL('../../src/web/page/', import.meta.url).pathname
const { groupedText, moneyDecimals, termText } = await import(/* @vite-ignore */ `${PAGE}figures.js`)

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

  it.each([
    ['9688.975', 2, '9,688.98'],
    ['9688.97499', 2, '9,688.97'],
    ['999.995', 2, '1,000.00'],
    ['-0.005', 2, '-0.01'],
    ['-0.004', 2, '0.00'],
    ['0.0449', 3, '0.045'],
    ['1234.5', 2, '1,234.50'],
    ['1234567', 2, '1,234,567'],
    ['1234.5', 0, '1,235'],
  ])('round the exact amount %s to %i decimals as the log does, to %s', (amount, decimals, text) => {
    expect(groupedText(amount, decimals)).toBe(text)
  })

  it('name purposes, states and rules in the words of the log', () => {
    expect(
      ['trailingStop', 'stopLoss', 'takeProfit', 'exit', 'partiallyFilled', 'maxNotional'].map(termText),
    ).toEqual(['trailing stop', 'stop-loss', 'take-profit', 'exit', 'partially filled', 'maximum notional'])
  })
})
