import { describe, expect, it } from 'vitest'
import { examineContract } from '../../../src/bot/doctor/examine-contract.ts'
import { loadInstruments } from '../../../src/bot/venue/load-instruments.ts'
import { contractsOf } from '../../../src/bot/venue/venue-accounts.ts'
import { statusText } from '../../../src/cli/bot/bot-status-text.ts'
import type { BotConfig } from '../../../src/config/bot-config.ts'
import { configuredMarkets } from '../../../src/config/configured-market.ts'
import { rateOf } from '../../../src/domain/numbers/amount.ts'
import { enterLong } from '../../../src/strategy/index.ts'
import { flatMarket, MINUTE } from '../../simulator/exchange-caller.ts'
import type { BotSession } from '../bot-session.ts'
import { once } from '../test-strategies.ts'
import { futuresBot } from './futures-bot.ts'

const ACCOUNT = { leverage: 10, marginMode: 'isolated', positionMode: 'oneWay' } as const
const UNKNOWN =
  'The exchange lists nowhere what a position of BTC/USDT must keep, and the configuration does not say it: its liquidation price counts fees only, and the real one is nearer. Write the rates that the exchange publishes under instruments, as maintenanceMarginRate or maintenanceTiers of BTC/USDT.'

/** What the contract of these bots keeps at the exchange. */
const KEPT = { default: { maintenanceMarginRate: rateOf('0.01') } }

/** A bot that is long 10 contracts of 0.1 BTC at 100.01, the best offer, with a tenth of that as their own margin. */
const holding = (instruments: BotConfig['instruments']) =>
  futuresBot({
    strategy: once(() => enterLong()),
    klines: flatMarket(100, 60),
    account: { type: 'futures', ...ACCOUNT },
    instruments,
  })

async function statusOf(session: BotSession) {
  const bot = await session.create()
  bot.start(error => session.failures.push(error))
  await session.run(2 * MINUTE)
  const answer = await bot.operate({ command: 'status' })
  if (!answer.ok || answer.status === undefined) throw new Error(answer.message)
  return answer.status
}

async function positionAtExchange({ client }: BotSession) {
  const position = (await client.futures.account())[0]?.contracts[0]?.positions[0]
  if (position === undefined) throw new Error('The exchange has no position.')
  return position
}

/** What the doctor says of the contract. */
async function examined({ client }: BotSession, instruments: BotConfig['instruments']) {
  const accounts = { futures: ACCOUNT }
  const loaded = await loadInstruments(client, ['BTC/USDT'], accounts, { rules: instruments })
  const [contract] = contractsOf(loaded.values(), configuredMarkets(accounts))
  if (contract === undefined) throw new Error('There is no contract.')
  return await examineContract(client.futures, contract)
}

describe('a bot on contracts whose maintenance rate is configured', () => {
  it('tells the liquidation price that the exchange shows', async () => {
    const session = holding(KEPT)
    const status = await statusOf(session)
    // Cost 100.01, margin 10.001: (100.01 - 10.001) / (1 - 0.01 - 0.001) = 91.0101…
    expect(status.liquidationPrices).toEqual({ 'BTC/USDT': '91.01' })
    expect((await positionAtExchange(session)).liquidationPrice?.toFixed(2)).toBe('91.01')
    expect(status.unverified).toEqual([])
    // 1 BTC, bought at 100.01 and marked at 100.
    expect(statusText(status)).toContain(
      '  BTC/USDT: LONG 10 contracts (1 BTC, cost 100.01 USDT), entry 100.01, mark 100.00, -0.01 USDT (-0.01%), liquidation price 91.01\n',
    )
    expect(session.said('the liquidation price of a contract is not known')).toEqual([])
  })

  it('is told by the doctor where the exchange wants another rate kept', async () => {
    const session = holding(KEPT)
    await statusOf(session)
    expect(await examined(session, KEPT)).toMatchObject({ status: 'ok' })
    expect(await examined(session, { default: { maintenanceMarginRate: rateOf('0.005') } })).toMatchObject({
      status: 'problem',
      found: "The exchange wants 0.01 of a position's worth kept, but the configuration says 0.005.",
      advice: 'Correct the maintenance rates of BTC/USDT under "instruments".',
    })
  })
})

describe('a bot on contracts whose maintenance rate is not configured', () => {
  it('says so at its start, in its status, and to who asks the doctor', async () => {
    const session = holding({})
    const status = await statusOf(session)
    // (100.01 - 10.001) / (1 - 0.001) = 90.0990…
    expect(status.liquidationPrices).toEqual({ 'BTC/USDT': '90.10' })
    expect(status.unverified).toEqual([UNKNOWN])
    expect(session.said('the liquidation price of a contract is not known').map(({ why }) => why)).toEqual([
      UNKNOWN,
    ])
    expect((await examined(session, {})).found).toContain(UNKNOWN)
  })
})
