import type { Logger } from 'pino'
import { type Instrument, quantityUnit } from '../../domain/instrument.ts'
import { utcText } from '../../domain/market-data/civil-date.ts'
import { amountToText } from '../../domain/numbers/amount.ts'
import { quantityText } from '../../domain/numbers/grid.ts'
import type { ReconciliationReport } from '../../execution/reconciliation/reconciliation-report.ts'
import { lockedCoinsStatus } from '../text/locked-coins.ts'
import { quantityWithUnit } from '../text/position-text.ts'
import { stepsText } from '../text/steps-text.ts'

/** Logs differences between the exchange and the ledger. */
export function logReconciliation(
  log: Logger,
  report: ReconciliationReport,
  instrumentOf: (symbol: string) => Instrument,
): void {
  switch (report.type) {
    case 'foreignOrder': {
      const { order, isCanceled } = report
      const message = isCanceled ? 'foreign order canceled' : 'foreign order left open'
      log.warn(nameOf(order), message)
      break
    }
    case 'namesakeOrder':
      log.error(nameOf(report.order), 'another process trades under the name of this bot')
      break
    case 'leftoverOrder':
      log.warn(nameOf(report.order), 'leftover order canceled')
      break
    case 'lateOrder':
      log.warn(nameOf(report.order), 'late order canceled')
      break
    case 'foreignTrade': {
      const { symbol, id, side, price, quantity } = report.trade
      const size = quantityWithUnit(quantity.toString(), quantityUnit(instrumentOf(symbol)))
      log.warn(
        { symbol, id, side, price: price.toString(), quantity: quantity.toString(), size },
        'foreign trade on the account',
      )
      break
    }
    case 'balanceAdjusted': {
      const { asset, exchange, ledger, cause } = report
      const level = cause === 'rounding' ? 'debug' : 'warn'
      log[level](
        { asset, exchange: amountToText(exchange), ledger: amountToText(ledger), cause },
        'balance adopted from the exchange',
      )
      break
    }
    case 'positionClosed': {
      const { symbol, direction, quantity, cause, isPriceDerived } = report
      const instrument = instrumentOf(symbol)
      const size = stepsText(instrument, quantity)
      const derived = isPriceDerived ? { derived: true } : {}
      log.warn(
        { symbol, direction, quantity: quantityText(instrument, quantity), size, cause, ...derived },
        'the exchange holds less of a position than the ledger',
      )
      break
    }
    case 'shortageAwaited': {
      const { asset, held, exchange, until } = report
      log.warn(
        { asset, held: amountToText(held), exchange: amountToText(exchange), until: utcText(until) },
        'the account holds less than our positions, and no sale is listed yet',
      )
      break
    }
    case 'coinsLocked':
      log.error(lockedCoinsStatus(report), 'open orders lock coins that are to be sold')
      break
    case 'haltChanged':
      log.warn({ symbol: report.symbol, reason: report.reason }, 'the reason of a halt has changed')
      break
    case 'transactionsUnlisted':
      log.warn(
        'the exchange lists no transactions of contracts: funding is derived from wallet, position and funding rate; transfers are adopted, and a close that nobody can explain waits for a person',
      )
      break
    case 'entryAdjusted': {
      const { symbol, direction, quantity, exchange, ledger } = report
      const size = stepsText(instrumentOf(symbol), quantity)
      const prices = { exchange: amountToText(exchange), ledger: amountToText(ledger) }
      log.warn({ symbol, direction, size, ...prices }, 'entry price adopted from the exchange')
      break
    }
    case 'marginAdjusted': {
      const { symbol, exchange, ledger } = report
      log.warn(
        { symbol, exchange: amountToText(exchange), ledger: amountToText(ledger) },
        'margin adopted from the exchange',
      )
    }
  }
}

function nameOf({
  symbol,
  orderId,
  clientOrderId,
}: {
  readonly symbol: string
  readonly orderId: string
  readonly clientOrderId: string | undefined
}) {
  return { symbol, orderId, clientOrderId }
}
