import type { EngineEvent } from '../../../src/domain/events/engine-event.ts'
import { type Amount, add, amountToText, negate, ZERO } from '../../../src/domain/numbers/amount.ts'
import { wholeId } from '../../../src/domain/orders/order-parts.ts'
import type { JournalReader } from '../../../src/journal/journal-reader.ts'
import type { Ledger } from '../../../src/ledger/ledger.ts'
import { type FuturesAccount, totalOf } from '../../../src/simulator/futures/positions/futures-account.ts'
import { TEST_ACCOUNT } from '../../../src/simulator/simulator-config.ts'
import type { Strategy } from '../../../src/strategy/index.ts'
import { ROUND_CONTRACT } from '../../simulator/futures/futures-caller.ts'
import { accountViolations, SUSPICIOUS } from '../seeds/account-violations.ts'
import { BotWorld, SYMBOL, type WorldOptions } from './bot-world.ts'

/** A world in which the contract E-BTC-USDT of 0.1 BTC is traded with 1000 USDT at 10x; funding of 0.1% every hour. */
export function futuresWorld(options: WorldOptions): BotWorld {
  return new BotWorld({
    account: { type: 'futures', leverage: 10, marginMode: 'isolated' },
    ...options,
    exchange: {
      listings: [{ symbol: SYMBOL, market: { type: 'klines', klines: options.klines } }],
      accounts: [{ ...TEST_ACCOUNT, balances: {}, futuresBalances: { USDT: '1000' } }],
      futures: { contracts: [{ ...ROUND_CONTRACT, fundingHours: 1, fundingRate: '0.001' }] },
    },
  })
}

/** Messages of the log that must not be there either while nobody else uses the account. */
const OF_OTHERS = [
  'balance adopted from the exchange',
  'foreign trade on the account',
  'position closed by a foreign order',
  'position closed outside the bot',
]

/** Everything that is wrong between a bot that has left and its futures account, in words; nothing, if all is well. */
export function futuresViolations(world: BotWorld, strategy: Strategy): Promise<readonly string[]> {
  const account = futuresAccountOf(world)
  return accountViolations(world, strategy, [...OF_OTHERS, ...SUSPICIOUS], ({ ledger, reader }) => [
    ...differentMoney(ledger, account),
    ...differentFills(ledger, account),
    ...differentFunding(reader, account),
    ...doubled(account),
  ])
}

/** The account at the exchange. */
export function futuresAccountOf({ exchange }: BotWorld): FuturesAccount {
  const [account] = exchange.futures.accounts
  if (account === undefined) throw new Error('The exchange has no futures account.')
  return account
}

function differentMoney(ledger: Ledger, account: FuturesAccount): readonly string[] {
  const [ours, theirs] = [ledger.balances.in('futures').of('USDT'), totalOf(account.wallet('USDT'))]
  const held = account
    .positions()
    .reduce((sum, { direction, volume }) => (direction === 'long' ? sum + volume : sum - volume), 0)
  return [
    ...(ours === theirs
      ? []
      : [`the books have ${amountToText(ours)} USDT, the exchange ${amountToText(theirs)}`]),
    ...(ledger.netQuantity(SYMBOL) === held
      ? []
      : [`the books hold ${ledger.netQuantity(SYMBOL)} contracts, the exchange ${held}`]),
  ]
}

/** Every trade of the exchange is booked once on its order, and nothing else but what the exchange took over. */
function differentFills(ledger: Ledger, account: FuturesAccount): readonly string[] {
  const booked = ledger.orders.remembered.flatMap(({ request: { clientOrderId } }) =>
    ledger.orders
      .fillsOf(clientOrderId)
      .filter(id => !id.startsWith('closed-'))
      .map(id => `${id} of ${clientOrderId}`),
  )
  const real = [...account.records.trades()].map(
    ({ execution, order }) => `${execution.id} of ${wholeId(order.clientOrderId ?? '')}`,
  )
  return [
    ...real.filter(key => !booked.includes(key)).map(key => `fill ${key} is not booked`),
    ...booked.filter(key => !real.includes(key)).map(key => `fill ${key} never happened`),
    ...booked.filter((key, index) => booked.indexOf(key) !== index).map(key => `fill ${key} is booked twice`),
  ]
}

/** All funding of the journal is all funding of the exchange. */
function differentFunding(reader: JournalReader, account: FuturesAccount): readonly string[] {
  const events = [...reader.entries()]
    .filter(({ kind }) => kind === 'event')
    .map(({ body }) => body as EngineEvent)
  const ours = events.reduce<Amount>(
    (sum, event) => (event.type === 'fundingPaid' ? add(sum, event.payment.amount) : sum),
    ZERO,
  )
  const theirs = [...account.transactions.oldestFirst()]
    .filter(({ type }) => type === 'funding')
    .reduce<Amount>((sum, { amount }) => add(sum, negate(amount)), ZERO)
  return ours === theirs
    ? []
    : [`${amountToText(ours)} of ${amountToText(theirs)} USDT of funding are booked`]
}

function doubled(account: FuturesAccount): readonly string[] {
  const ids = account.records.orders.map(({ clientOrderId }) => clientOrderId)
  return ids.filter((id, index) => ids.indexOf(id) !== index).map(id => `order ${id} was placed twice`)
}
