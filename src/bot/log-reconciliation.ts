import type { Logger } from 'pino'
import { amountToText } from '../domain/amount.ts'
import type { ReconciliationReport } from '../execution/reconciliation-report.ts'

/** Says what the exchange has and the ledger did not expect. */
export function logReconciliation(log: Logger, report: ReconciliationReport): void {
  switch (report.type) {
    case 'foreignOrder': {
      const { order, isCanceled } = report
      const what = isCanceled
        ? 'canceled an order of somebody else'
        : 'an order of somebody else is open, left alone'
      log.warn(nameOf(order), what)
      break
    }
    case 'leftoverOrder':
      log.warn(nameOf(report.order), 'canceled an order that an earlier run left open')
      break
    case 'lateOrder':
      log.warn(nameOf(report.order), 'canceled an order that turned up although it counted as over')
      break
    case 'foreignTrade': {
      const { symbol, id, side, price, quantity } = report.trade
      log.warn(
        { symbol, id, side, price: price.toString(), quantity: quantity.toString() },
        'somebody else traded on this account',
      )
      break
    }
    case 'balanceAdjusted': {
      const { asset, exchange, ledger, cause } = report
      const level = cause === 'rounding' ? 'debug' : 'warn'
      log[level](
        { asset, exchange: amountToText(exchange), ledger: amountToText(ledger), cause },
        'balance differs from the ledger, taken over',
      )
      break
    }
    case 'positionClosed': {
      const { symbol, direction, quantity, cause } = report
      log.warn(
        { symbol, direction, quantity, cause },
        'the exchange holds less of a position than the ledger',
      )
      break
    }
    case 'marginAdjusted': {
      const { symbol, exchange, ledger } = report
      log.warn(
        { symbol, exchange: amountToText(exchange), ledger: amountToText(ledger) },
        'margin of a position differs from the ledger, taken over',
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
