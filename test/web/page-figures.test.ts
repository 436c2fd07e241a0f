import { describe, expect, it } from 'vitest'
import { moneyText } from '../../src/bot/text/figures.ts'
import { withCommas } from '../../src/domain/numbers/grouped.ts'

/** The page is JavaScript for browsers, which the type checker of the tests does not read. */
const PAGE = new URL('../../src/web/page/', import.meta.url).pathname
const { exactMoney, plainTimes, termText, timeText } = await import(/* @vite-ignore */ `${PAGE}figures.js`)

describe('figures of the page', () => {
  it.each([
    ['9688.975', 'USDT', '9,688.98'],
    ['9688.97499', 'USDT', '9,688.97'],
    ['999.995', 'USDT', '1,000.00'],
    ['-1.005', 'USDT', '-1.01'],
    ['-0.004', 'USDT', '-0.004'],
    ['0.0449', 'USDT', '0.045'],
    ['1234.5', 'USDT', '1,234.50'],
    ['1234567', 'USDT', '1,234,567.00'],
    ['-0', 'USDT', '0.00'],
    ['0.015', 'BTC', '0.01500000'],
  ])('round the exact amount %s of %s as the log does, to %s', (amount, asset, text) => {
    expect(exactMoney(amount, asset)).toBe(text)
    expect(`${text} ${asset}`).toBe(moneyText(amount, asset))
  })

  it.each([
    ['closed at 100 (2026-01-01 00:30:00Z).', 'closed at 100 (2026-01-01 00:30:00).'],
    ['until 2026-01-01T14:05:00.123Z, then', 'until 2026-01-01 14:05:00, then'],
    ['from 2026-01-01 14:05 UTC on', 'from 2026-01-01 14:05 on'],
    ['2026-01-01 14:05:07', '2026-01-01 14:05:07'],
    ['order 2026-01Z of BTC', 'order 2026-01Z of BTC'],
  ])('write the moments of "%s" without their zone', (text, plain) => {
    expect(plainTimes(text)).toBe(plain)
  })

  it.each([
    ['limit 58776.44', 'limit 58,776.44'],
    ['sell 1234567.5 PEPE stop-limit 1000 999.5', 'sell 1,234,567.5 PEPE stop-limit 1,000 999.5'],
    ['trailing stop by 1500, active from 60000', 'trailing stop by 1,500, active from 60,000'],
    ['-4000.25', '-4,000.25'],
    ['0.00012345 BTC', '0.00012345 BTC'],
    ['58,776.44', '58,776.44'],
    ['2026-01-02 10:00:00 at 100', '2026-01-02 10:00:00 at 100'],
    ['order x-20260102 and 1e21', 'order x-20260102 and 1e21'],
  ])('separate the thousands of "%s"', (text, separated) => {
    expect(withCommas(text)).toBe(separated)
  })

  it('write a moment with its date', () => {
    expect(timeText(Date.UTC(2026, 0, 2, 3, 4, 5, 678))).toBe('2026-01-02 03:04:05')
  })

  it('name purposes, states and rules in the words of the log', () => {
    expect(
      ['trailingStop', 'stopLoss', 'takeProfit', 'exit', 'partiallyFilled', 'maxNotional'].map(termText),
    ).toEqual(['trailing stop', 'stop-loss', 'take-profit', 'exit', 'partially filled', 'maximum notional'])
  })
})
