import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EngineOutput } from '../../src/domain/events/engine-output.ts'
import { steps } from '../../src/domain/numbers/grid.ts'
import type { CancelCause } from '../../src/domain/orders/cancel-cause.ts'
import { partId } from '../../src/domain/orders/order-parts.ts'
import { type Dispatch, Dispatches, type DispatchesState } from '../../src/execution/dispatches.ts'
import { fromJournalText, journalText } from '../../src/journal/journal-text.ts'
import { requestOf } from '../ledger/order-parts.ts'

const BTC = 'BTC/USDT'
const HOUR = 3_600_000

function dispatch(clientOrderId: string, action: Dispatch['action'] = 'place'): Dispatch {
  return { action, clientOrderId, symbol: BTC, timestamp: 1, recvWindowMs: 5000 }
}

function cancel(clientOrderId: string, cause?: CancelCause): EngineOutput {
  return { type: 'cancelOrder', clientOrderId, symbol: BTC, ...(cause !== undefined && { cause }) }
}

function restarted(dispatches: Dispatches): Dispatches {
  const again = new Dispatches()
  again.restore(fromJournalText(journalText(dispatches.snapshot())) as DispatchesState)
  return again
}

describe('what is on its way', () => {
  it('is every placement that left, whole or in parts, and no cancel', () => {
    const dispatches = new Dispatches()
    for (const id of ['whole', partId('cut', 1), partId('cut', 2)]) dispatches.leave(dispatch(id))
    dispatches.leave(dispatch('canceled', 'cancel'))
    const idsOf = (id: string) => dispatches.placed(id).map(one => one.clientOrderId)
    expect(idsOf('whole')).toEqual(['whole'])
    expect(idsOf('cut')).toEqual([partId('cut', 1), partId('cut', 2)])
    expect(idsOf('canceled')).toEqual([])
    expect(idsOf('never')).toEqual([])
  })

  it('is wanted gone for the reason that was given first', () => {
    const dispatches = new Dispatches()
    dispatches.see([cancel('a'), cancel('a', 'expired'), cancel('a', 'groupFilled')])
    expect(dispatches.unwanted('a')).toEqual({ clientOrderId: 'a', cause: 'expired' })
    expect(dispatches.unwanted('b')).toBeUndefined()
  })

  it('is not wanted gone where it is only sent, or made smaller', () => {
    const dispatches = new Dispatches()
    dispatches.see([
      { type: 'placeOrder', request: requestOf({ clientOrderId: 'a' }) },
      { type: 'resizeOrder', clientOrderId: 'b', symbol: BTC, quantity: steps(1) },
    ])
    expect(dispatches.snapshot().unwanted).toEqual([])
  })

  it('is forgotten once its order is over, with every part of it', () => {
    const dispatches = new Dispatches()
    for (const id of ['a', 'b', partId('c', 1), partId('d', 1)]) dispatches.leave(dispatch(id))
    dispatches.see([cancel('a'), cancel('b')])
    dispatches.forgetOver(id => id === 'a' || id === 'c')
    expect(['a', 'b', 'c', 'd'].map(id => dispatches.placed(id).length)).toEqual([1, 0, 1, 0])
    expect(['a', 'b'].map(id => dispatches.unwanted(id) !== undefined)).toEqual([true, false])
  })
})

describe('what of an account was seen', () => {
  it('is a payment of funding until it can no longer be listed, an hour', () => {
    const dispatches = new Dispatches()
    const until = 10 * HOUR
    dispatches.noteFunding({ id: 'old', time: until - HOUR - 1 })
    dispatches.noteFunding({ id: 'kept', time: until - HOUR })
    dispatches.noteFunding({ id: 'new', time: until })
    expect(dispatches.hasFunding('old')).toBe(true)
    dispatches.seeTransactions({ type: 'transactionsSeen', since: 0, until, moved: [] })
    expect(['old', 'kept', 'new'].map(id => dispatches.hasFunding(id))).toEqual([false, true, true])
  })

  it('is a trade of somebody else until the own trades of its symbol are seen beyond it, by number', () => {
    const dispatches = new Dispatches()
    const trade = (tradeId: string, symbol = BTC, orderId = '1') => ({ symbol, tradeId, orderId })
    const trades = [trade('9'), trade('10'), trade('11'), trade('9', 'ETH/USDT')]
    for (const one of trades) dispatches.noteOthersTrade(one)
    expect(dispatches.hasOthersTrade(trade('9', BTC, '2'))).toBe(false)
    expect(dispatches.hasOthersTrade(trade('9', 'LTC/USDT'))).toBe(false)
    dispatches.seeTrades({ type: 'tradesSeen', symbol: BTC, tradeId: '10' })
    expect(trades.map(one => dispatches.hasOthersTrade(one))).toEqual([false, false, true, true])
    expect(dispatches.lastTradeOf(BTC)).toBe('10')
    expect(dispatches.lastTradeOf('ETH/USDT')).toBeUndefined()
  })
})

describe('a restart', () => {
  const id = fc.constantFrom('a', 'b', partId('a', 1), partId('b', 2), 'c')
  const number = fc.integer({ min: 1, max: 30 })
  const symbol = fc.constantFrom(BTC, 'ETH/USDT')
  const step = fc.oneof(
    id.map(one => (to: Dispatches) => to.leave(dispatch(one))),
    id.map(one => (to: Dispatches) => to.see([cancel(one, 'expired')])),
    fc.tuple(symbol, number).map(([of, trade]) => (to: Dispatches) => {
      to.seeTrades({ type: 'tradesSeen', symbol: of, tradeId: `${trade}` })
    }),
    fc.tuple(symbol, number).map(([of, trade]) => (to: Dispatches) => {
      to.noteOthersTrade({ symbol: of, tradeId: `${trade}`, orderId: '1' })
    }),
    number.map(time => (to: Dispatches) => to.noteFunding({ id: `${time}`, time: time * HOUR })),
    number.map(hours => (to: Dispatches) => {
      to.seeTransactions({ type: 'transactionsSeen', since: 0, until: hours * HOUR, moved: [`${hours}`] })
    }),
    id.map(one => (to: Dispatches) => to.forgetOver(working => working !== one)),
  )

  /** All that can be asked of it. */
  function known(dispatches: Dispatches): unknown {
    const numbers = Array.from({ length: 30 }, (_, index) => `${index + 1}`)
    return {
      orders: ['a', 'b', 'c'].map(one => [dispatches.placed(one), dispatches.unwanted(one)]),
      trades: [BTC, 'ETH/USDT'].map(of => [
        dispatches.lastTradeOf(of),
        numbers.filter(tradeId => dispatches.hasOthersTrade({ symbol: of, tradeId, orderId: '1' })),
      ]),
      transactions: dispatches.transactionsSeen,
      fundings: numbers.filter(one => dispatches.hasFunding(one)),
    }
  }

  it('forgets nothing of it, wherever it comes', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), fc.array(step, { maxLength: 5 }), (before, after) => {
        const dispatches = new Dispatches()
        for (const take of before) take(dispatches)
        // Fundings are kept with what of the account was seen, which a futures account says at its first look.
        if (dispatches.transactionsSeen === undefined)
          dispatches.seeTransactions({ type: 'transactionsSeen', since: 0, until: 0, moved: [] })
        const again = restarted(dispatches)
        expect(known(again)).toEqual(known(dispatches))
        for (const take of after) {
          take(dispatches)
          take(again)
        }
        expect(known(again)).toEqual(known(dispatches))
      }),
    )
  })

  it('writes nothing of accounts that are not traded', () => {
    expect(new Dispatches().snapshot()).toEqual({ placed: [], unwanted: [], tradesSeen: [] })
  })
})
