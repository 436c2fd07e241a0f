import { amountToText } from '../../../src/domain/numbers/amount.ts'
import { wholeId } from '../../../src/domain/orders/order-parts.ts'
import type { Ledger } from '../../../src/ledger/ledger.ts'
import { TEST_ACCOUNT } from '../../../src/simulator/simulator-config.ts'
import type { Trader } from '../../../src/simulator/trader.ts'
import type { Strategy } from '../../../src/strategy/index.ts'
import { declaredOf, moneyOf } from '../../bot/margin/margin-bot.ts'
import { ExchangeCaller } from '../../simulator/exchange-caller.ts'
import { accountViolations, SUSPICIOUS } from '../seeds/account-violations.ts'
import { BotWorld, SYMBOL, type WorldOptions } from './bot-world.ts'

const HELD = { USDT: '2000', BTC: '4' }

/** A world in which BTC/USDT is traded on a margin account with 2000 USDT and 4 BTC, where somebody else may trade as well. */
export function marginWorld(options: WorldOptions): BotWorld {
  return new BotWorld({
    account: { type: 'margin', balances: declaredOf(HELD), foreignTrades: 'adopt' },
    ...options,
    exchange: {
      listings: [
        { symbol: SYMBOL, quantityPrecision: 3, market: { type: 'klines', klines: options.klines } },
      ],
      accounts: [{ ...TEST_ACCOUNT, balances: {}, marginBalances: HELD }],
      // What is not owned is not had: who tried to borrow would be refused.
      margin: { maxLeverage: '1' },
      futures: { contracts: [] },
      ...options.exchange,
    },
  })
}

/** Somebody buys and sells on the same account at these times, past the bot. */
export function tradeBeside(world: BotWorld, at: readonly number[]): void {
  for (const [index, time] of at.entries()) {
    world.clock.schedule(time - world.clock.now(), () => {
      const person = new ExchangeCaller(world.exchange, TEST_ACCOUNT)
      person.now = world.clock.now()
      const [side, price] = index % 2 === 0 ? ['BUY', 120] : ['SELL', 80]
      person.post('/sapi/v2/margin/order', { symbol: SYMBOL, side, type: 'LIMIT', volume: '0.3', price })
    })
  }
}

/** Everything that is wrong between a bot that has left and its margin account, in words; nothing, if all is well. */
export function marginViolations(world: BotWorld, strategy: Strategy): Promise<readonly string[]> {
  const { margin } = world.user
  return accountViolations(world, strategy, [...SUSPICIOUS, 'order rejected'], ({ ledger }) => [
    ...differentMoney(ledger, world),
    ...differentFills(ledger, margin),
    ...resting(margin),
    ...doubled(margin),
  ])
}

function differentMoney(ledger: Ledger, world: BotWorld): readonly string[] {
  const owed = [...world.user.margin.credit.debts].map(([asset]) => `${asset} was borrowed`)
  const different = Object.entries(moneyOf(world)).flatMap(([asset, theirs]) => {
    const ours = amountToText(ledger.balances.in('margin').of(asset))
    return ours === theirs ? [] : [`the books have ${ours} ${asset}, the exchange ${theirs}`]
  })
  return [...owed, ...different]
}

/** Every trade of an order of ours is booked once on it, and nothing else is. */
export function differentFills(
  ledger: Ledger,
  { history }: Pick<Trader, 'history'>,
  symbol = SYMBOL,
): readonly string[] {
  const booked = ledger.orders.remembered
    .filter(({ request }) => request.symbol === symbol)
    .flatMap(({ request: { clientOrderId } }) =>
      ledger.orders.fillsOf(clientOrderId).map(id => `${id} of ${clientOrderId}`),
    )
  const real = [...history.trades()]
    .filter(({ order }) => order.clientOrderId !== undefined)
    .map(({ execution, order }) => `${execution.id} of ${wholeId(order.clientOrderId ?? '')}`)
  return [
    ...real.filter(key => !booked.includes(key)).map(key => `fill ${key} is not booked`),
    ...booked.filter(key => !real.includes(key)).map(key => `fill ${key} never happened`),
    ...booked.filter((key, index) => booked.indexOf(key) !== index).map(key => `fill ${key} is booked twice`),
  ]
}

/** A bot that has left leaves nothing on the book. */
export function resting({ history }: Pick<Trader, 'history'>): readonly string[] {
  return history.openOrders.map(({ clientOrderId }) => `order ${clientOrderId} still rests`)
}

export function doubled({ history }: Pick<Trader, 'history'>): readonly string[] {
  const ids = history.orders.flatMap(({ clientOrderId }) => clientOrderId ?? [])
  return ids.filter((id, index) => ids.indexOf(id) !== index).map(id => `order ${id} was placed twice`)
}
