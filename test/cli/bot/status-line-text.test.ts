import { describe, expect, it } from 'vitest'
import type { BotStatus } from '../../../src/bot/log/bot-status.ts'
import { statusLineText } from '../../../src/cli/bot/status-line-text.ts'

const held = (more: object = {}) => ({
  ...{
    direction: 'long',
    quantity: '0.01668',
    unit: 'BTC',
    symbol: 'BTC/USDT',
    quote: 'USDT',
    unrealised: '1.2',
  },
  ...more,
})

/** 17 s after a minute; strategies on 5m and 1h, so that the next close is at 12:35:00, in 43 s. */
const status = (more: object = {}) =>
  ({
    ...{ time: '2026-01-31T12:34:17.000Z', equity: { USDT: '10012.5' }, comparison: 'agreed', line: {} },
    day: { since: '2026-01-31T00:00:00.000Z', equity: { USDT: '10000' }, change: { USDT: '12.5' } },
    ...{ unprotected: [], trading: [], orders: [], held: [held()] },
    strategies: [{ interval: '1h' }, { interval: '5m' }],
    ...more,
  }) as unknown as BotStatus // what the line reads

const whole =
  '12:34:17Z | OK | equity 10,012.50 USDT | today +12.50 USDT (+0.13%) | LONG 0.01668 BTC +1.20 USDT | close in 43 s'

describe('the line of a terminal', () => {
  it.each([
    [120, whole],
    [113, whole],
    [
      112,
      '12:34:17Z | OK | equity 10,012.50 USDT | today +12.50 USDT (+0.13%) | LONG 0.01668 BTC +1.20 USDT',
    ],
    [79, '12:34:17Z | OK | equity 10,012.50 USDT | today +12.50 USDT (+0.13%)'],
    [50, '12:34:17Z | OK | equity 10,012.50 USDT'],
    [20, '12:34:17Z | OK'],
    [5, 'OK'],
    [1, '…'],
    [0, ''],
  ])('has the most important parts that fit into %d columns', (columns, text) => {
    expect(statusLineText(status(), columns)).toBe(text)
  })

  it('says what keeps the bot from trading, cut to the terminal', () => {
    const differs = status({ comparison: 'differs', held: [] })
    expect(statusLineText(differs, 200)).toContain('| NOT READY: Account and books differ. |')
    expect(statusLineText(differs, 20)).toBe('NOT READY: Account…')
  })

  it('counts positions beyond the second', () => {
    const short = held({
      direction: 'short',
      quantity: '3',
      unit: 'contracts',
      symbol: 'E-BTC-USDT',
      unrealised: '-2',
    })
    expect(statusLineText(status({ held: [held(), short, held()] }), 300)).toContain(
      '| LONG 0.01668 BTC +1.20 USDT, SHORT 3 contracts of E-BTC-USDT -2.00 USDT, 1 more |',
    )
    expect(statusLineText(status({ held: [] }), 300)).toContain('| flat |')
  })
})
