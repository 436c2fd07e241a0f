import type { FaultRuleInput } from '../../src/simulator/faults/fault-rule.ts'
import { type SimulatorConfigInput, TEST_ACCOUNT } from '../../src/simulator/simulator-config.ts'

const PLACE = 'POST /sapi/v2/order'
/** What is kept of an account's past: enough for whatever a bot asks. */
const KEPT = 1000

/** Something that goes wrong every few minutes to hours. */
const FAULTS: readonly FaultRuleInput[] = [
  { fault: 'dropAfter', endpoint: PLACE, probability: 0.005 },
  { fault: 'gatewayTimeout', endpoint: PLACE, probability: 0.005 },
  { fault: 'lateArrival', endpoint: PLACE, probability: 0.005, delayMs: 2000, jitterMs: 2000 },
  { fault: 'pendingCancel', endpoint: '/sapi/v2/cancel', probability: 0.02, delayMs: 3000 },
  { fault: 'serverError', endpoint: 'GET /sapi/*', probability: 0.002 },
]

/** Three pairs and a contract whose prices are generated, an account with money for years, and lines that fail now and then. */
export const WEEK_EXCHANGE: SimulatorConfigInput = {
  // An order of the second pair leaves in parts where it is worth more than 600.
  listings: [listed('BTC/USDT'), { ...listed('ETH/USDT'), maxVolume: '0.6' }, listed('XRP/USDT')],
  accounts: [{ ...TEST_ACCOUNT, balances: { USDT: '10000000' }, futuresBalances: { USDT: '1000000' } }],
  futures: {
    contracts: [{ symbol: 'E-BTC-USDT', pricePrecision: 2, fundingHours: 1, fundingRate: '0.0001' }],
    keptRecords: KEPT,
  },
  faults: [...FAULTS],
  keptInputs: 0,
  keptRecords: KEPT,
  keptEvents: KEPT,
}

function listed(symbol: string) {
  return { symbol, market: { type: 'generated', startPrice: 1000, historyKlines: 60 } } as const
}
