import { createHash } from 'node:crypto'
import { amountToText } from '../../domain/numbers/amount.ts'
import { priceText, quantityText } from '../../domain/numbers/grid.ts'
import type { Side } from '../../domain/orders/side.ts'
import type { Account } from '../account.ts'
import type { ExchangeCore } from '../exchange-core.ts'
import type { FaultyExchange } from '../faults/faulty-exchange.ts'
import type { FuturesAccount } from '../futures/positions/futures-account.ts'
import { type JsonValue, jsonText } from '../protocol/json-text.ts'
import type { ListedMarket } from '../spot/listed-market.ts'
import { type BookLevel, quantityAt } from '../spot/order-book.ts'
import type { SimulatedSpotOrder } from '../spot/spot-order.ts'
import type { User } from '../user.ts'
import { plainView } from './plain-view.ts'

/** Everything that can be seen of an exchange: accounts with their orders and trades, books, positions, faults. */
export function stateViewOf({ core, faults, log }: FaultyExchange): Readonly<Record<string, JsonValue>> {
  const { state, futures, transfers, withdrawals } = core
  return {
    time: Number.isFinite(state.now) ? state.now : null,
    events: log.count,
    house: holdingsView(state.house),
    fees: holdingsView(state.fees),
    outside: holdingsView(withdrawals.outside),
    transit: holdingsView(transfers.transit),
    insurance: holdingsView(state.insurance),
    marginLiquidations: [...state.marginLiquidations].map(({ uid, time }) => ({ uid, time })),
    users: state.users.map(user => userView(user, core)),
    markets: state.markets.map(marketView),
    futures: {
      accounts: futures.accounts.map(futuresAccountView),
      contracts: futures.contracts.map(({ contract, market, mark, tape, isOpen }) => ({
        contractName: contract.name,
        mark: isOpen ? priceText(contract, mark) : null,
        prints: tape.count,
        bids: bookView(market.book, 'buy', level => [priceText(contract, level.price), quantityAt(level)]),
        asks: bookView(market.book, 'sell', level => [priceText(contract, level.price), quantityAt(level)]),
      })),
    },
    faults: faults.active.map(({ id, rule, calls, strikes }) => ({ id, fault: rule.fault, calls, strikes })),
  }
}

/** SHA-256 of the visible state, in hexadecimal digits. */
export function stateHashOf(exchange: FaultyExchange): string {
  return createHash('sha256')
    .update(jsonText(stateViewOf(exchange)))
    .digest('hex')
}

function holdingsView({ uid, holdings }: Account): JsonValue {
  const entries = [...holdings].map(([asset, { free, locked }]) => [
    asset,
    { free: amountToText(free), locked: amountToText(locked) },
  ])
  return { uid, holdings: Object.fromEntries(entries) }
}

function userView(
  { account, history, margin }: User,
  { transfers, withdrawals }: Pick<ExchangeCore, 'transfers' | 'withdrawals'>,
): JsonValue {
  return {
    ...traderView({ account, history }),
    margin: {
      ...traderView(margin),
      debts: Object.fromEntries([...margin.credit.debts].map(([asset, debt]) => [asset, amountToText(debt)])),
    },
    transfers: [...transfers.of(account.uid)].map(({ id, from, coin, amount, status }) => ({
      id,
      from,
      coin,
      amount: amountToText(amount),
      status,
    })),
    withdrawals: [...withdrawals.of(account.uid)].map(({ id, symbol, amount, status }) => ({
      id,
      symbol,
      amount: amountToText(amount),
      status,
    })),
  }
}

function traderView({ account, history }: Pick<User, 'account' | 'history'>) {
  return {
    account: holdingsView(account),
    openOrders: history.openOrders.map(orderView),
    trades: history
      .trades()
      .map(({ execution, order, fee, feeAsset }) => ({
        id: execution.id,
        orderId: order.id,
        time: execution.time,
        price: execution.price,
        quantity: execution.quantity,
        fee: amountToText(fee),
        feeAsset,
      }))
      .toArray(),
  }
}

function orderView(order: SimulatedSpotOrder): JsonValue {
  const { instrument, price, size, executedQuantity, locked } = order
  return {
    id: order.id,
    clientOrderId: order.clientOrderId ?? null,
    symbol: instrument.symbol,
    side: order.side,
    type: order.type,
    status: order.status,
    time: order.time,
    price: price === undefined ? null : priceText(instrument, price),
    ordered: size.unit === 'base' ? quantityText(instrument, size.quantity) : amountToText(size.amount),
    executed: quantityText(instrument, executedQuantity),
    locked: amountToText(locked),
  }
}

function marketView({ instrument, market, reference, tape }: ListedMarket): JsonValue {
  const entry = (level: BookLevel) => [
    priceText(instrument, level.price),
    quantityText(instrument, quantityAt(level)),
    level.orders.length,
  ]
  return {
    symbol: instrument.symbol,
    reference: reference === undefined ? null : priceText(instrument, reference),
    prints: tape.count,
    bids: bookView(market.book, 'buy', entry),
    asks: bookView(market.book, 'sell', entry),
  }
}

function bookView<Level>(
  book: { levels(side: Side): Generator<Level> },
  side: Side,
  entry: (level: Level) => JsonValue,
): JsonValue {
  return book.levels(side).map(entry).toArray()
}

function futuresAccountView(account: FuturesAccount): JsonValue {
  return {
    uid: account.uid,
    wallets: plainView(account.wallets),
    positions: plainView(account.positions()),
    orders: plainView(account.records.openOrders),
    trades: account.records.trades().toArray().length,
    transactions: account.transactions.size,
  }
}
