import { expect, it } from 'vitest'
import { enterLong, exit } from '../../../src/strategy/index.ts'
import { fillWords, QUIET, type Row, runScript } from '../kline-table.ts'

/** A trailing stop 4 below the best price: from 100 up to 103 and back to 98 it trades or not, as the path is. */
const trailing = enterLong({ trailingStop: { distance: 4 } })
const TRAILED: Row = [100, 103, 98, 102]

it('a round trip whose own fill depends on the path is ambiguous beside entries of others that do', () => {
  const rows: Row[] = [QUIET, TRAILED, QUIET, [100, 111, 94, 105], QUIET]
  const bracket = enterLong({ stopLoss: 95, takeProfit: 110 })
  const result = runScript({ 0: trailing, 1: exit(), 2: bracket }, rows, { fills: { path: 'optimistic' } })
  expect(fillWords(result)).toEqual([
    '1: buy 1 at 100 taker',
    '2: sell 1 at 100 taker',
    '3: buy 1 at 100 taker',
    '3: sell 1 at 110 taker',
  ])
  expect(result.ambiguousRoundTrips).toEqual([0, 1])
})

it('of two entries at one price only the round trip of the one that depends on the path is ambiguous', () => {
  const script = { 0: enterLong(), 1: enterLong({ scaleIn: true, trailingStop: { distance: 4 } }), 3: exit() }
  const result = runScript(script, [QUIET, QUIET, QUIET, TRAILED, QUIET], { fills: { path: 'optimistic' } })
  expect(fillWords(result)).toEqual([
    '1: buy 1 at 100 taker',
    '2: buy 1 at 100 taker',
    '4: sell 2 at 100 taker',
  ])
  expect(result.roundTrips.map(({ entryTime }) => entryTime)).toEqual([60_000, 120_000])
  expect(result.ambiguousRoundTrips).toEqual([1])
})
