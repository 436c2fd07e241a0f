import { expect, it } from 'vitest'
import { amountOf } from '../../../src/domain/numbers/amount.ts'
import { Engine } from '../../../src/engine/engine.ts'
import { Ledger } from '../../../src/ledger/ledger.ts'
import { defineStrategy } from '../../../src/strategy/index.ts'
import { MARGIN } from '../engine-session.ts'

it('holds a strategy back on all of its instruments while the data of one of them are stale', () => {
  const ETH = { ...MARGIN, symbol: 'ETH/USDT', base: 'ETH' }
  const ledger = new Ledger([MARGIN, ETH], [['USDT', amountOf('10000')]])
  const strategy = defineStrategy({ name: 'pairs', markets: ['hedge'] })
  const traded = {
    ...{ strategy, parameters: {}, symbol: 'BTC/USDT', size: { base: 1 } },
    interval: '1m' as const,
    markets: { hedge: { symbol: 'ETH/USDT' } },
    risk: { protections: { staleData: { mode: 'reducing' as const, gapPauseMs: 1000 } } },
  }
  const engine = new Engine({ bot: 'test', ledger, strategies: [traded] })
  const modes = () => [engine.risk.riskOf(0).mode, engine.risk.riskOf(1).mode]
  engine.process({ type: 'dataStale', symbol: 'ETH/USDT', stream: 'spot depth ETH/USDT', ageMs: 1, time: 1 })
  expect(modes()).toEqual(['reducing', 'reducing'])
  engine.process({ type: 'dataFresh', symbol: 'ETH/USDT', stream: 'spot depth ETH/USDT', time: 2 })
  expect(modes()).toEqual(['active', 'active'])
})
