import { expect, it } from 'vitest'
import { logLineText } from '../../src/bot/text/log-lines.ts'
import { defineStrategy } from '../../src/strategy/index.ts'
import { flatMarket } from '../simulator/exchange-caller.ts'
import { BotSession, KEY, SECRET } from './bot-session.ts'
import { futuresBot } from './futures/futures-bot.ts'
import { declaredOf, marginBot } from './margin/margin-bot.ts'

const idle = defineStrategy({ name: 'idle', onKline: () => undefined })
const klines = flatMarket(100, 10)

const MESSAGE = 'protective stops wait in this process and not at the exchange'

/** A spot and a margin account of a bot with a strategy on each. */
function spotBesideMargin(): BotSession {
  return new BotSession({
    strategy: idle,
    traded: ['BTC/USDT', 'ETH/USDT'].map(symbol => ({
      strategy: { ...idle, name: symbol.slice(0, 3) },
      symbol,
    })),
    accounts: {
      spot: {},
      margin: { balances: declaredOf({ USDT: '300' }), symbols: ['ETH/USDT'], foreignTrades: 'halt' },
    },
    exchange: {
      listings: ['BTC/USDT', 'ETH/USDT'].map(symbol => ({ symbol, market: { type: 'klines', klines } })),
      accounts: [
        { apiKey: KEY, apiSecret: SECRET, balances: { USDT: '500' }, marginBalances: { USDT: '300' } },
      ],
    },
  })
}

it.each<[string, () => BotSession, string]>([
  ['spot', () => new BotSession({ strategy: idle }), 'nothing'],
  ['margin', () => marginBot({ strategy: idle, klines }), 'only liquidation'],
  [
    'futures',
    () =>
      futuresBot({
        ...{ strategy: idle, klines },
        account: { type: 'futures', leverage: 2, marginMode: 'cross', positionMode: 'oneWay' },
      }),
    'only liquidation',
  ],
  ['spot and margin', spotBesideMargin, 'at most a liquidation'],
])(
  'a start on %s says that stops wait in the process, and what ends losses while it is down',
  async (_account, bot, ends) => {
    const session = bot()
    await session.start()
    expect(session.said(MESSAGE).map(fields => logLineText(MESSAGE, fields))).toEqual([
      `Protective stops wait in this process and not at the exchange: while the bot is down, ${ends} ends a losing position.`,
    ])
  },
)
