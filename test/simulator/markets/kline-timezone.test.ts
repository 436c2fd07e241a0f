import { describe, expect, it } from 'vitest'
import { ExchangeCaller, replayOf, START } from '../exchange-caller.ts'

const HOUR = 3_600_000

/** 72 hourly klines from midnight UTC of a Monday; the close of hour n is 100 + n, and each has a volume of 4. */
function threeDays(): ExchangeCaller {
  const klines = Array.from({ length: 72 }, (_, hour) => ({
    openTime: START + hour * HOUR,
    open: 100 + hour,
    high: 101 + hour,
    low: 99 + hour,
    close: 100 + hour,
    volume: 4,
  }))
  const market = { type: 'klines', interval: '1h', klines } as const
  const caller = ExchangeCaller.open(replayOf([], { listings: [{ symbol: 'BTC/USDT', market }] }))
  caller.now = START + 72 * HOUR - 1
  return caller
}

function klinesIn(timezone: string, interval = '1day') {
  const query = new URLSearchParams({ symbol: 'BTCUSDT', interval, timezone })
  return threeDays()
    .get(`/sapi/v2/klines?${query}`)
    .json.map(({ idx, open, high, low, close, vol }: Record<string, string>) =>
      [(Number(idx) - START) / HOUR, open, high, low, close, vol].map(Number),
    )
}

describe('klines in a time zone', () => {
  it('of a day begin at its midnight and sum up the same prints', () => {
    expect(klinesIn('UTC-09')).toEqual([
      [57, 157, 172, 156, 171, 60],
      [33, 133, 157, 132, 156, 96],
      [9, 109, 133, 108, 132, 96],
      [-15, 100, 109, 99, 108, 36],
    ])
  })

  it('of a week begin on its Monday', () => {
    expect(klinesIn('UTC+8', '1week')).toEqual([[-8, 100, 172, 99, 171, 288]])
    expect(klinesIn('UTC-09', '1week').map(([hours = 0]: number[]) => hours)).toEqual([9, 9 - 168])
  })

  it('are the usual ones for UTC, and for intervals that are the same everywhere', () => {
    expect(klinesIn('UTC')).toEqual(klinesIn('UTC+00'))
    expect(klinesIn('UTC')[0]).toEqual([48, 148, 172, 147, 171, 96])
    expect(klinesIn('UTC-09', '60min')).toEqual(klinesIn('UTC', '60min'))
  })

  it.each(['GMT+8', 'UTC+15', 'UTC-13', 'UTC+05:30', 'Berlin'])('are refused for %s', timezone => {
    const query = new URLSearchParams({ symbol: 'BTCUSDT', interval: '1day', timezone })
    expect(threeDays().get(`/sapi/v2/klines?${query}`).json.code).toBe(-1102)
  })
})
