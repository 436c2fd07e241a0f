import { BotState } from '../../src/bot/bot-state.ts'
import { replayJournal } from '../../src/bot/replay-journal.ts'
import { restoreState } from '../../src/bot/restore-state.ts'
import { add, amountToText } from '../../src/domain/amount.ts'
import { wholeId } from '../../src/domain/order-parts.ts'
import { isWorking, type OrderStatus } from '../../src/domain/order-status.ts'
import { JournalReader } from '../../src/journal/journal-reader.ts'
import type { Ledger } from '../../src/ledger/ledger.ts'
import type { SpotOrder } from '../../src/simulator/spot-order.ts'
import type { User } from '../../src/simulator/user.ts'
import type { Strategy } from '../../src/strategy/index.ts'
import { baseStepsOf } from '../execution/execution-session.ts'
import { type BotWorld, SYMBOL } from './bot-world.ts'

/** Messages of the log that tell of something that must not happen while nobody else uses the account. */
const SUSPICIOUS = [
  'balance differs from the ledger, taken over',
  'somebody else traded on this account',
  'an order of somebody else is open, left alone',
  'canceled an order that an earlier run left open',
  'canceled an order that turned up although it counted as over',
  'instrument halted: nothing more is decided on it',
  'trading halted',
  'left although orders are not known to be over',
  'strategy stopped: it threw',
]

/** Everything that is wrong between a bot that has left and its exchange, in words; nothing, if all is well. */
export async function violations(world: BotWorld, strategy: Strategy): Promise<readonly string[]> {
  const state = new BotState(async () => strategy)
  await restoreState(world.journalPath, state)
  const { ledger } = state.engine
  return [
    ...world.failures.map(failure => `a bot failed: ${String(failure)}`),
    ...SUSPICIOUS.filter(message => world.said(message).length > 0).map(
      message => `the log says: ${message}`,
    ),
    ...doubledOrders(world.user),
    ...differentFills(world.user, ledger),
    ...differentBalances(world.user, ledger),
    ...differentOrders(world.user, ledger),
    ...wrongProtection(ledger),
    ...(await differentReplay(world.journalPath, strategy)),
  ]
}

/** No intent has two orders. */
function doubledOrders({ history }: User): readonly string[] {
  const ids = history.orders.map(({ clientOrderId }) => clientOrderId)
  return ids.filter((id, index) => ids.indexOf(id) !== index).map(id => `two orders have the id ${id}`)
}

/** Every fill of the exchange is booked exactly once. */
function differentFills({ history }: User, ledger: Ledger): readonly string[] {
  const booked = ledger.orders.remembered.flatMap(({ request }) =>
    ledger.orders.fillsOf(request.clientOrderId),
  )
  const real = [...history.trades()].map(({ execution }) => `${execution.id}`)
  return [
    ...booked.filter((id, index) => booked.indexOf(id) !== index).map(id => `fill ${id} is booked twice`),
    ...real.filter(id => !booked.includes(id)).map(id => `fill ${id} is not booked`),
    ...booked.filter(id => !real.includes(id)).map(id => `fill ${id} never happened`),
  ]
}

function differentBalances({ account }: User, ledger: Ledger): readonly string[] {
  return ['USDT', 'BTC'].flatMap(asset => {
    const { free, locked } = account.holding(asset)
    const [real, booked] = [add(free, locked), ledger.balances.of(asset)]
    return real === booked ? [] : [`${asset} is ${amountToText(real)}, booked ${amountToText(booked)}`]
  })
}

/** What each end at the exchange is to us; what the market did not fill at once ends as canceled. */
const ENDS: Readonly<Record<SpotOrder['status'], readonly OrderStatus[]>> = {
  NEW: [],
  PARTIALLY_FILLED: [],
  PENDING_CANCEL: [],
  FILLED: ['filled'],
  CANCELED: ['canceled'],
  REJECTED: ['rejected', 'expired'],
}

/** Every order ends in a state that both sides agree on; one that left in parts is filled where all of them are. */
function differentOrders({ history }: User, ledger: Ledger): readonly string[] {
  const real = [...Map.groupBy(history.orders, order => wholeId(order.clientOrderId ?? ''))].flatMap(
    ([id, orders]) => {
      const own = ledger.orders.get(id)
      if (own === undefined) return [`order ${id} is not in the ledger`]
      const unfilled = orders.find(({ status }) => status !== 'FILLED')
      const ends = ENDS[unfilled?.status ?? 'FILLED']
      const sent = orders.reduce((sum, order) => sum + baseStepsOf(order), 0)
      const isShort = orders.length > 1 && sent < own.request.quantity
      const agrees = unfilled === undefined && isShort ? !isWorking(own.status) : ends.includes(own.status)
      return agrees || (orders.length > 1 && unfilled !== undefined && own.status === 'expired')
        ? []
        : [`order ${id} is ${unfilled?.status ?? 'FILLED'}, booked as ${own.status}`]
    },
  )
  const sent = new Set(history.orders.map(({ clientOrderId }) => wholeId(clientOrderId ?? '')))
  const imagined = ledger.orders.remembered
    .filter(({ request, status }) => !sent.has(request.clientOrderId) && !neverLeft(status, request.protects))
    .map(({ request, status }) => `order ${request.clientOrderId} is ${status}, but the exchange has none`)
  return [...real, ...imagined]
}

/** Where an order may stand that the exchange never saw: given up, or protecting from the trigger book. */
function neverLeft(status: OrderStatus, protects: string | undefined): boolean {
  return !isWorking(status) ? status !== 'filled' : protects !== undefined
}

/** For every lot that an entry with protection opened, each kind of protective order is open for exactly that much. */
function wrongProtection(ledger: Ledger): readonly string[] {
  const lots = ledger.position(SYMBOL)?.lots ?? []
  return lots.flatMap(({ clientOrderId }) => {
    const { protection } = ledger.orders.get(clientOrderId)?.request ?? {}
    const held = lots
      .filter(lot => lot.clientOrderId === clientOrderId)
      .reduce((sum, lot) => sum + lot.quantity, 0)
    return Object.keys(protection ?? {}).flatMap(purpose => {
      const open = ledger.orders.working
        .filter(({ request }) => request.protects === clientOrderId && request.purpose === purpose)
        .reduce((sum, { request, filledQuantity }) => sum + request.quantity - filledQuantity, 0)
      return open === held ? [] : [`the ${purpose} of ${clientOrderId} covers ${open} of ${held}`]
    })
  })
}

/** The journal holds, and leads to the same decisions again. */
async function differentReplay(path: string, strategy: Strategy): Promise<readonly string[]> {
  const reader = new JournalReader(path)
  try {
    const check = reader.verify()
    if (!check.holds) return [`the journal is damaged: ${check.problem}`]
    const { difference } = await replayJournal(reader, async () => strategy)
    return difference === undefined
      ? []
      : [`entry ${difference.seq} replays differently: ${difference.recorded} / ${difference.again}`]
  } finally {
    reader.close()
  }
}
