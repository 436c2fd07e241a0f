import { describe, expect, it } from 'vitest'
import type { Manifest } from '../../../backtest/manifest/manifest.ts'
import { type IdentifiedBacktest, identityOf, trialKey } from '../../../src/cli/research/trial-identity.ts'
import { hourly } from '../../backtest/trials/trial-market.ts'
import { SPOT } from '../../engine/engine-session.ts'

const klines = hourly(1, 50)
const source = (file: string, sha256: string) => ({ file, sha256, klines: 50 })

function backtestWith(
  changes: Partial<Manifest> = {},
  markets = [{ instrument: SPOT, interval: '1h', klines } as const],
) {
  const manifest = {
    ...{ code: 'code', config: 'config', data: [source('a.csv', 'a')], symbol: 'BTC/USDT', interval: '1h' },
    ...{ from: 0, to: 180_000_000, inputs: { strategy: 's.ts', data: { file: 'a.csv' }, config: {} } },
    ...changes,
  } as Manifest
  return { strategy: 'sma-cross', markets, manifest, playsTrades: false } satisfies IdentifiedBacktest
}

const keyOf = (backtest: IdentifiedBacktest, parameters = { fast: 2, slow: 5 }) =>
  trialKey(identityOf(backtest), parameters)

describe('the key of a trial', () => {
  const key = keyOf(backtestWith())

  it('is that of the same code, klines, configuration and parameters, wherever they come from', () => {
    expect(keyOf(backtestWith({ data: [source('renamed.feather', 'b')] }))).toBe(key)
    expect(keyOf(backtestWith(), { slow: 5, fast: 2 })).toBe(key)
    expect(keyOf(backtestWith({ seed: 9, node: 'v99' }))).toBe(key)
  })

  it('is another one for anything that a result follows from', () => {
    const other = { ...klines, close: klines.close.map((close, row) => (row === 30 ? close + 0.01 : close)) }
    const keys = [
      keyOf(backtestWith({ code: 'other' })),
      keyOf(backtestWith({ config: 'other' })),
      keyOf(backtestWith({}, [{ instrument: SPOT, interval: '1h', klines: other }])),
      keyOf(backtestWith({ data: [source('a.csv', 'a'), source('funding.csv', 'f')] })),
      keyOf(backtestWith({ detail: { ...source('d.csv', 'd'), interval: '1m' } })),
      keyOf({ ...backtestWith(), playsTrades: true }),
      keyOf(backtestWith(), { fast: 3, slow: 5 }),
      trialKey(identityOf(backtestWith(), { from: 0, to: 180_000_000 }), { fast: 2, slow: 5 }),
    ]
    expect(new Set([key, ...keys]).size).toBe(9)
  })
})
