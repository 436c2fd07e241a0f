import { appendFileSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readTopOfBookFile, readTradeFile } from '../../../src/klines/formats/read-tick-file.ts'
import { TickRecorder } from '../../../src/klines/record/tick-recorder.ts'

const NOON = Date.UTC(2026, 10, 23, 12)
const MIDNIGHT = Date.UTC(2026, 10, 24)

function begun() {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-record-'))
  const fileOf = (day: string, kind: string) =>
    join(folder, 'host', 'BTC-USDT', 'ticks', `${day}.${kind}.csv`)
  return { folder, fileOf, recorder: new TickRecorder(folder, 'host') }
}

const BUY = { id: '7', price: '100.5', quantity: '0.25', side: 'buy' } as const
const SELL = { id: '8', price: '100.4', quantity: '1', side: 'sell' } as const

test('trades and best prices are files that a backtest reads', async () => {
  const { recorder, fileOf } = begun()
  recorder.trades('BTC/USDT', [
    { localMs: NOON + 900, time: NOON, ...BUY },
    { localMs: NOON + 900, time: NOON + 5, ...SELL },
  ])
  recorder.book('BTC/USDT', {
    localMs: NOON + 901,
    time: NOON + 850,
    bids: [
      ['100.4', '2'],
      ['100.3', '5'],
    ],
    asks: [['100.6', '3.5']],
  })
  recorder.close()
  expect(await readTradeFile(fileOf('2026-11-23', 'trades'))).toEqual([
    { time: NOON, price: 100.5, quantity: 0.25, side: 'buy' },
    { time: NOON + 5, price: 100.4, quantity: 1, side: 'sell' },
  ])
  expect(await readTopOfBookFile(fileOf('2026-11-23', 'top'))).toEqual([
    { time: NOON + 850, bid: 100.4, bidQuantity: 2, ask: 100.6, askQuantity: 3.5 },
  ])
  expect(readFileSync(fileOf('2026-11-23', 'depth'), 'utf8')).toBe(
    `local_ns,exch_ms,bids,asks\n${NOON + 901}000000,${NOON + 850},100.4:2 100.3:5,100.6:3.5\n`,
  )
})

test('each UTC day has its files', async () => {
  const { recorder, fileOf } = begun()
  recorder.trades('BTC/USDT', [{ localMs: MIDNIGHT - 1, time: MIDNIGHT - 40, ...BUY }])
  recorder.trades('BTC/USDT', [{ localMs: MIDNIGHT, time: MIDNIGHT - 20, ...SELL }])
  recorder.close()
  expect(await readTradeFile(fileOf('2026-11-23', 'trades'))).toHaveLength(1)
  expect(await readTradeFile(fileOf('2026-11-24', 'trades'))).toHaveLength(1)
})

test('a half line of a killed process is cut off, and recording goes on behind it', async () => {
  const { folder, recorder, fileOf } = begun()
  recorder.trades('BTC/USDT', [{ localMs: NOON, time: NOON, ...BUY }])
  recorder.close()
  appendFileSync(fileOf('2026-11-23', 'trades'), `${NOON + 1}000000,${NOON},8,100`)
  const next = new TickRecorder(folder, 'host')
  next.trades('BTC/USDT', [{ localMs: NOON + 2, time: NOON + 2, ...SELL }])
  next.close()
  expect(readFileSync(fileOf('2026-11-23', 'trades'), 'utf8')).toBe(
    [
      'local_ns,exch_ms,trade_id,price,qty,buyer_is_maker',
      `${NOON}000000,${NOON},7,100.5,0.25,0`,
      `${NOON + 2}000000,${NOON + 2},8,100.4,1,1\n`,
    ].join('\n'),
  )
})

test('gaps and index prices are written down', () => {
  const { recorder, fileOf } = begun()
  recorder.gap('BTC/USDT', {
    localMs: NOON,
    from: NOON - 3000,
    until: NOON - 1,
    reason: 'The feed was "silent".',
  })
  recorder.index('BTC/USDT', { localMs: NOON, time: NOON, mark: '100', index: '99.9', fundingRate: '0.0001' })
  recorder.flush()
  expect(readFileSync(fileOf('2026-11-23', 'gaps'), 'utf8')).toContain(
    `${NOON}000000,${NOON - 3000},${NOON - 1},"The feed was 'silent'."`,
  )
  expect(readFileSync(fileOf('2026-11-23', 'index'), 'utf8')).toContain(`${NOON},100,99.9,0.0001`)
})
