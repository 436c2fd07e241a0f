import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EngineOutput } from '../../src/domain/events/engine-output.ts'
import { steps } from '../../src/domain/numbers/grid.ts'
import type { CancelCause } from '../../src/domain/orders/cancel-cause.ts'
import { partId } from '../../src/domain/orders/order-parts.ts'
import { type SentRequest, SentRequests, type SentRequestsState } from '../../src/execution/sent-requests.ts'
import { fromJournalText, journalText } from '../../src/journal/journal-text.ts'
import { requestOf } from '../ledger/order-parts.ts'

const BTC = 'BTC/USDT'
const HOUR = 3_600_000

function sentRequest(clientOrderId: string, action: SentRequest['action'] = 'place'): SentRequest {
  return { action, clientOrderId, symbol: BTC, timestamp: 1, recvWindowMs: 5000 }
}

function cancel(clientOrderId: string, cause?: CancelCause): EngineOutput {
  return { type: 'cancelOrder', clientOrderId, symbol: BTC, ...(cause !== undefined && { cause }) }
}

function restarted(sentRequests: SentRequests): SentRequests {
  const again = new SentRequests()
  again.restore(fromJournalText(journalText(sentRequests.snapshot())) as SentRequestsState)
  return again
}

describe('what is on its way', () => {
  it('is every placement that left, whole or in parts, and no cancel', () => {
    const sentRequests = new SentRequests()
    for (const id of ['whole', partId('cut', 1), partId('cut', 2)]) sentRequests.add(sentRequest(id))
    sentRequests.add(sentRequest('canceled', 'cancel'))
    const idsOf = (id: string) => sentRequests.placed(id).map(one => one.clientOrderId)
    expect(idsOf('whole')).toEqual(['whole'])
    expect(idsOf('cut')).toEqual([partId('cut', 1), partId('cut', 2)])
    expect(idsOf('canceled')).toEqual([])
    expect(idsOf('never')).toEqual([])
  })

  it('is wanted gone for the reason that was given first', () => {
    const sentRequests = new SentRequests()
    sentRequests.observe([cancel('a'), cancel('a', 'expired'), cancel('a', 'groupFilled')])
    expect(sentRequests.unwanted('a')).toEqual({ clientOrderId: 'a', cause: 'expired' })
    expect(sentRequests.unwanted('b')).toBeUndefined()
  })

  it('is not wanted gone where it is only sent, or made smaller', () => {
    const sentRequests = new SentRequests()
    sentRequests.observe([
      { type: 'placeOrder', request: requestOf({ clientOrderId: 'a' }) },
      { type: 'resizeOrder', clientOrderId: 'b', symbol: BTC, quantity: steps(1) },
    ])
    expect(sentRequests.snapshot().unwanted).toEqual([])
  })

  it('is forgotten once its order is over, with every part of it', () => {
    const sentRequests = new SentRequests()
    for (const id of ['a', 'b', partId('c', 1), partId('d', 1)]) sentRequests.add(sentRequest(id))
    sentRequests.observe([cancel('a'), cancel('b')])
    sentRequests.forgetOver(id => id === 'a' || id === 'c')
    expect(['a', 'b', 'c', 'd'].map(id => sentRequests.placed(id).length)).toEqual([1, 0, 1, 0])
    expect(['a', 'b'].map(id => sentRequests.unwanted(id) !== undefined)).toEqual([true, false])
  })
})

describe('what of an account was seen', () => {
  it('is a payment of funding until it can no longer be listed, an hour', () => {
    const sentRequests = new SentRequests()
    const until = 10 * HOUR
    sentRequests.noteFunding({ id: 'old', time: until - HOUR - 1 })
    sentRequests.noteFunding({ id: 'kept', time: until - HOUR })
    sentRequests.noteFunding({ id: 'new', time: until })
    expect(sentRequests.hasFunding('old')).toBe(true)
    sentRequests.observeTransactions({ type: 'transactionsSeen', since: 0, until, moved: [] })
    expect(['old', 'kept', 'new'].map(id => sentRequests.hasFunding(id))).toEqual([false, true, true])
  })

  it('is a trade of somebody else until the own trades of its symbol are seen beyond it, by number', () => {
    const sentRequests = new SentRequests()
    const trade = (tradeId: string, symbol = BTC, orderId = '1') => ({ symbol, tradeId, orderId })
    const trades = [trade('9'), trade('10'), trade('11'), trade('9', 'ETH/USDT')]
    for (const one of trades) sentRequests.noteOthersTrade(one)
    expect(sentRequests.hasOthersTrade(trade('9', BTC, '2'))).toBe(false)
    expect(sentRequests.hasOthersTrade(trade('9', 'LTC/USDT'))).toBe(false)
    sentRequests.observeTrades({ type: 'tradesSeen', symbol: BTC, tradeId: '10' })
    expect(trades.map(one => sentRequests.hasOthersTrade(one))).toEqual([false, false, true, true])
    expect(sentRequests.lastTradeOf(BTC)).toBe('10')
    expect(sentRequests.lastTradeOf('ETH/USDT')).toBeUndefined()
  })
})

describe('a restart', () => {
  const id = fc.constantFrom('a', 'b', partId('a', 1), partId('b', 2), 'c')
  const number = fc.integer({ min: 1, max: 30 })
  const symbol = fc.constantFrom(BTC, 'ETH/USDT')
  const step = fc.oneof(
    id.map(one => (to: SentRequests) => to.add(sentRequest(one))),
    id.map(one => (to: SentRequests) => to.observe([cancel(one, 'expired')])),
    fc
      .tuple(symbol, number, fc.constantFrom({}, { othersTraded: true }, { othersTraded: false }))
      .map(([of, trade, others]) => (to: SentRequests) => {
        to.observeTrades({ type: 'tradesSeen', symbol: of, tradeId: `${trade}`, ...others })
      }),
    fc.tuple(symbol, number).map(([of, trade]) => (to: SentRequests) => {
      to.noteOthersTrade({ symbol: of, tradeId: `${trade}`, orderId: '1' })
    }),
    number.map(time => (to: SentRequests) => to.noteFunding({ id: `${time}`, time: time * HOUR })),
    number.map(hours => (to: SentRequests) => {
      to.observeTransactions({ type: 'transactionsSeen', since: 0, until: hours * HOUR, moved: [`${hours}`] })
    }),
    id.map(one => (to: SentRequests) => to.forgetOver(working => working !== one)),
  )

  /** All that can be asked of it. */
  function known(sentRequests: SentRequests): unknown {
    const numbers = Array.from({ length: 30 }, (_, index) => `${index + 1}`)
    return {
      orders: ['a', 'b', 'c'].map(one => [sentRequests.placed(one), sentRequests.unwanted(one)]),
      trades: [BTC, 'ETH/USDT'].map(of => [
        sentRequests.lastTradeOf(of),
        sentRequests.wasTradedByOthers(of),
        numbers.filter(tradeId => sentRequests.hasOthersTrade({ symbol: of, tradeId, orderId: '1' })),
      ]),
      transactions: sentRequests.transactionsSeen,
      fundings: numbers.filter(one => sentRequests.hasFunding(one)),
    }
  }

  it('forgets nothing of it, wherever it comes', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), fc.array(step, { maxLength: 5 }), (before, after) => {
        const sentRequests = new SentRequests()
        for (const take of before) take(sentRequests)
        // Fundings are kept with what of the account was seen, which a futures account says at its first look.
        if (sentRequests.transactionsSeen === undefined)
          sentRequests.observeTransactions({ type: 'transactionsSeen', since: 0, until: 0, moved: [] })
        const again = restarted(sentRequests)
        expect(known(again)).toEqual(known(sentRequests))
        for (const take of after) {
          take(sentRequests)
          take(again)
        }
        expect(known(again)).toEqual(known(sentRequests))
      }),
    )
  })

  it('writes nothing of accounts that are not traded', () => {
    expect(new SentRequests().snapshot()).toEqual({ placed: [], unwanted: [], tradesSeen: [] })
  })
})
