import { describe, expect, it } from 'vitest'
import { atOnce } from '../../../backtest/run/resumable.ts'
import { runBacktest } from '../../../backtest/run/run-backtest.ts'
import { firstDifference } from '../../../backtest/validation/first-difference.ts'
import type { RecordEntry } from '../../../backtest/validation/recorded-strategy.ts'
import type { RunRecord } from '../../../backtest/validation/run-record.ts'
import { recordRun } from '../../../backtest/validation/run-record.ts'
import { enterLong, exit } from '../../../src/strategy/index.ts'
import { scripted } from '../../engine/engine-session.ts'
import { klinesOf, type Row } from '../kline-table.ts'
import { backtestOf } from './backtest-of.ts'

const rows: Row[] = Array.from({ length: 6 }, (_, row) => [100 + row, 100 + row, 100 + row, 100 + row])
const klines = klinesOf(rows)
const script = { 1: enterLong(), 3: exit() }
const baseline = atOnce(recordRun(backtestOf(scripted(script), rows)))
const compare = (after: RunRecord, cut: number) =>
  firstDifference(baseline, after, { klines, interval: '1m', cut })
const resultOf = ({ result }: RunRecord) => {
  if (result === undefined) throw new Error('The run failed.')
  return result
}

describe('recordRun', () => {
  it('does what the run does, and notes signals, orders and fills with their rows and times', () => {
    expect(baseline.result).toEqual(runBacktest(backtestOf(scripted(script), rows)))
    const words = ({ what, handler, row, time }: RecordEntry) => `${what} ${handler} ${row} ${time / 60_000}`
    // Decided at the close of row 1 (minute 2), traded on row 2.
    expect(baseline.entries.map(words).slice(0, 4)).toEqual([
      'signal onKline 1 2',
      'order onOrder 2 2',
      'order onOrder 2 2',
      'fill onFill 2 2',
    ])
    expect(baseline.klinesSeen).toBe(6)
  })
})

describe('firstDifference', () => {
  it('finds none between equal runs', () => {
    expect(compare(atOnce(recordRun(backtestOf(scripted(script), rows))), 5)).toBeUndefined()
  })

  it('finds a signal that is gone, and takes it before its consequences', () => {
    const after = atOnce(recordRun(backtestOf(scripted({ 3: exit() }), rows)))
    expect(compare(after, 5)).toEqual({
      what: 'signal',
      handler: 'onKline',
      row: 1,
      before: '{"type":"enter","direction":"long"}',
      after: undefined,
    })
    expect(compare(after, 1)?.row).toBe(1)
    expect(compare(after, 0)).toBeUndefined()
  })

  it('finds a signal that is new', () => {
    const after = atOnce(recordRun(backtestOf(scripted({ 0: exit(), ...script }), rows)))
    expect(compare(after, 5)).toMatchObject({
      what: 'signal',
      row: 0,
      before: undefined,
      after: '{"type":"exit"}',
    })
  })

  it('finds a fill, a round trip and an equity value that are other than they were, each up to the cut', () => {
    const result = resultOf(baseline)
    const fills = result.fills.map(fill => ({ ...fill, id: `${fill.id}x` }))
    expect(compare({ ...baseline, result: { ...result, fills } }, 5)).toMatchObject({ what: 'fill', row: 2 })
    expect(compare({ ...baseline, result: { ...result, fills } }, 2)?.row).toBe(2)
    expect(compare({ ...baseline, result: { ...result, fills } }, 1)).toBeUndefined()
    const roundTrips = result.roundTrips.map(roundTrip => ({ ...roundTrip, tag: 'other' }))
    expect(compare({ ...baseline, result: { ...result, roundTrips } }, 5)).toMatchObject({
      what: 'round trip',
      row: 4,
    })
    expect(compare({ ...baseline, result: { ...result, roundTrips } }, 3)).toBeUndefined()
    const equity = result.equity.with(3, 1)
    expect(compare({ ...baseline, result: { ...result, equity } }, 3)).toMatchObject({
      what: 'equity',
      row: 3,
      after: '1',
    })
    expect(compare({ ...baseline, result: { ...result, equity } }, 2)).toBeUndefined()
  })

  it('finds orders that a decision led to, before anything trades', () => {
    const entries = baseline.entries.map(entry =>
      entry.what === 'order' ? { ...entry, text: '{}', time: entry.time } : entry,
    )
    expect(compare({ ...baseline, entries }, 1)).toMatchObject({
      what: 'order',
      handler: 'onOrder',
      after: '{}',
    })
  })
})
