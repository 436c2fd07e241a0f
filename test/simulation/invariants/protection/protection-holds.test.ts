import { describe, expect, it } from 'vitest'
import { rateOf } from '../../../../src/domain/numbers/amount.ts'
import type { ProtectionRules } from '../../../../src/risk/risk-rules.ts'
import type { Fact } from '../facts.ts'
import { protectionHolds } from './protection-holds.ts'

const DAY = 86_400_000
const ONE = 10n ** 18n
const mode = 'reducing'
const symbol = 'BTC/USDT'

const marked = (equity: number, time: number, unrealised = 0): Fact => ({
  ...{ type: 'marked', time, symbol, equity: BigInt(equity) * ONE },
  unrealised: new Map([['mine', BigInt(unrealised) * ONE]]),
})
const closed = (pnl: number, time: number, more: object = {}): Fact => ({
  ...{ type: 'closed', time, book: 'mine', purpose: 'exit', pnl: BigInt(pnl) * ONE, isFlat: true },
  ...more,
})
const resumed = (time: number, of?: string): Fact => ({ type: 'resumed', time, symbol: of })

/** Until when each protection holds of the account, as of a time. */
function held(rules: ProtectionRules, facts: readonly Fact[], now: number): readonly unknown[] {
  return protectionHolds(facts, rules, {}, now).map(({ source, until }) => `${source} ${until}`)
}

describe('what protections hold, told by hand', () => {
  it('is a day that lost too much, up to its end', () => {
    const rules = { dailyLoss: { rate: rateOf('0.1'), mode } } as const
    const facts = [marked(100, 1000), marked(120, 2000), marked(90, 3000)]
    expect(held(rules, facts.slice(0, 2), 2000)).toEqual([])
    // 10 of the 100 at its start, though it was 120 meanwhile.
    expect(held(rules, facts, 3000)).toEqual([`dailyLoss ${DAY}`])
    expect(held(rules, facts, DAY)).toEqual([])
    expect(held(rules, [...facts, resumed(3500)], 4000)).toEqual([])
    expect(held(rules, [...facts, resumed(3500, symbol)], 4000)).toHaveLength(1)
    // The next day begins with what the one before ended with.
    expect(held(rules, [...facts, marked(82, DAY + 1)], DAY + 2)).toEqual([])
    expect(held(rules, [...facts, marked(81, DAY + 1)], DAY + 2)).toEqual([`dailyLoss ${2 * DAY}`])
    const funded: Fact = { type: 'funded', amount: -20n * ONE }
    expect(held(rules, [marked(100, 1000), funded, marked(80, 2000)], 3000)).toEqual([])
  })

  it('is a fall from the highest, for as long as is said', () => {
    const rules = { drawdown: { rate: rateOf('0.1'), pauseMs: 500, mode } } as const
    const facts = [marked(100, 1), marked(120, 2), marked(109, 3), marked(108, 4)]
    expect(held(rules, facts.slice(0, 3), 3)).toEqual([])
    expect(held(rules, facts, 4)).toEqual(['drawdown 504'])
    expect(held(rules, facts, 504)).toEqual([])
  })

  it('is so many losing trades, each from flat to flat', () => {
    const rules = { lossesInARow: { count: 2, pauseMs: 100, mode } } as const
    const part = closed(-5, 2, { isFlat: false })
    expect(held(rules, [closed(-1, 1), part, closed(4, 3)], 3)).toEqual(['lossesInARow 103'])
    expect(held(rules, [closed(-1, 1), part, closed(6, 3), closed(-1, 4)], 4)).toEqual([])
    const others = closed(-1, 3, { book: 'another' })
    expect(held(rules, [part, others, closed(6, 4)], 4)).toEqual([])
  })

  it('is a while after a stop', () => {
    const rules = { cooldownAfterStop: { pauseMs: 100, mode } } as const
    expect(held(rules, [closed(1, 1), closed(-1, 5, { purpose: 'takeProfit' })], 5)).toEqual([])
    const stop = closed(1, 5, { purpose: 'stopLoss' })
    expect([held(rules, [stop], 104), held(rules, [stop], 105)]).toEqual([['cooldownAfterStop 105'], []])
  })

  it('is data, clock and spread for as long as they are bad, whoever resumes', () => {
    const silent = (stream: string): Fact => ({ type: 'silent', time: 1, symbol, stream })
    const heard = (stream: string): Fact => ({ type: 'heard', time: 2, symbol, stream })
    const stale = { staleData: { mode, gapPauseMs: 50 } } as const
    const both = [silent('a'), silent('b'), resumed(2), heard('a')]
    expect(held(stale, both, 9)).toEqual(['staleData Infinity'])
    expect(held(stale, [...both, heard('b')], 9)).toEqual([])
    expect(held(stale, [...both, { type: 'restarted', time: 9 }], 9)).toEqual([])
    expect(held(stale, [{ type: 'missed', time: 3, symbol }], 9)).toEqual(['staleData 53'])
    const clock = (uncertaintyMs: number): Fact => ({ type: 'clock', time: 1, uncertaintyMs })
    const unsure = { clockUncertainty: { mode, maxMs: 200 } } as const
    expect([held(unsure, [clock(200)], 1), held(unsure, [clock(201)], 1)]).toEqual([
      [],
      ['clockUncertainty Infinity'],
    ])
    const spread = (rate: number, of = symbol): Fact => ({ type: 'spread', time: 1, symbol: of, rate })
    const narrow = { spread: { mode, maxRate: 0.01 } } as const
    expect(held(narrow, [spread(0.02), spread(0.02, 'ETH/USDT'), spread(0.01)], 1)).toHaveLength(1)
    expect(held(narrow, [spread(0.02), spread(0.01)], 1)).toEqual([])
  })

  it('is for a strategy what its own book did', () => {
    const rules = {
      drawdown: { rate: rateOf('0.1'), mode },
      cooldownAfterStop: { pauseMs: 9, mode },
    } as const
    const of = (facts: readonly Fact[]) =>
      protectionHolds(facts, rules, { symbol, book: 'mine' }, 5).map(({ source }) => source)
    const stop = { purpose: 'trailingStop', book: 'another' }
    expect(of([marked(100, 1), closed(-50, 2, stop), marked(50, 3)])).toEqual([])
    // It earned 5 and is 5 behind with what is open; then 6 behind: 11 of the 110 that the account had.
    const facts = [closed(5, 1), marked(110, 1), marked(100, 2, -10)]
    expect([of(facts), of([...facts, marked(99, 3, -11)])]).toEqual([[], ['drawdown']])
    // Prices of all instruments are told at once, between two klines.
    const ofAll: Fact = {
      ...{ type: 'marked', time: 3, equity: 99n * ONE },
      unrealised: new Map([['mine', -11n * ONE]]),
    }
    expect(of([...facts, ofAll])).toEqual(['drawdown'])
  })
})
