import pino from 'pino'
import { expect, it } from 'vitest'
import { logNotice } from '../../../src/bot/log/log-notice.ts'
import type { OrderStatus } from '../../../src/domain/orders/order-status.ts'
import { enterLong } from '../../../src/strategy/index.ts'
import { EngineSession, scripted } from '../../engine/engine-session.ts'
import { LogLines } from '../../parity/log-lines.ts'

const DOUBT = 'The exchange may have executed it. Look it up before acting on it.'

/** Says what is logged as the reason of an order in a status that keeps that of a doubt. */
function reasonIn(status: OrderStatus): unknown {
  const session = new EngineSession(scripted({ 0: enterLong({ size: { base: 1 } }) }))
  session.kline(100)
  const lines = new LogLines()
  const state = session.ledger.orders.get(session.order(1).clientOrderId)
  if (state === undefined) throw new Error('The order is not in the ledger.')
  logNotice(
    pino({}, lines),
    { type: 'orderChanged', order: { ...state, status, reason: DOUBT }, time: 0 },
    () => session.instrument,
  )
  return lines.said(`order ${status}`)[0]?.reason
}

it('gives the reason of a doubt only while there is one', () => {
  expect(reasonIn('unknown')).toBe(DOUBT)
  expect([reasonIn('open'), reasonIn('partiallyFilled')]).toEqual([undefined, undefined])
})

it('gives the assets and the precision of a signal for its own market, and none for another one', () => {
  const { instrument } = new EngineSession(scripted({}))
  const lines = new LogLines()
  for (const market of [undefined, 'hedge'])
    logNotice(
      pino({}, lines),
      {
        ...{
          type: 'signaled',
          strategy: 'pair',
          symbol: instrument.symbol,
          book: instrument.symbol,
          time: 0,
        },
        signal: { type: 'exit', ...(market !== undefined && { market }) },
      },
      () => instrument,
    )
  const { base, quote, pricePrecision } = instrument
  expect(lines.said('signal').map(({ on }) => on)).toEqual([{ base, quote, pricePrecision }, undefined])
})
