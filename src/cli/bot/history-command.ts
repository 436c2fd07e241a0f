import { existsSync } from 'node:fs'
import { momentText, moneyText, signedMoneyText } from '../../bot/text/figures.ts'
import { orderStatusText } from '../../bot/text/order-status-text.ts'
import { configOfBot } from '../../config/load-bot-config.ts'
import { utcText } from '../../domain/market-data/civil-date.ts'
import { grouped } from '../../domain/numbers/grouped.ts'
import { orderWord } from '../../domain/orders/order-words.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import { LIST_BOUNDS, TradingHistory } from '../../web/history/trading-history.ts'
import { recordedLists } from '../../web/sources/recorded-lists.ts'
import type { OutputStreams } from '../streams.ts'
import { latestEntries } from './latest-entries.ts'

/** A list of what a bot has done. */
export type HistoryList = 'trades' | 'orders' | 'log'

/** Options of a list. */
export interface HistoryOptions {
  /** Path of the bot's configuration. */
  readonly config: string
  readonly list: HistoryList
  /** Largest number of rows; the latest are shown. */
  readonly last: number
  readonly json: boolean
}

/**
 * Prints the latest round trips, orders or log lines of a bot from its journal, oldest first, also while it runs; says since when
 * the journal keeps them where it dropped entries. Rejects with `UsageError` if it has no journal.
 */
export async function runHistory(
  { config, list, last, json }: HistoryOptions,
  { out, err }: OutputStreams,
): Promise<void> {
  const path = configOfBot(config).journal?.file
  if (path === undefined || !existsSync(path))
    throw new UsageError(
      `The bot of ${config} has no journal${path === undefined ? '' : ` at ${path} yet`}; what it did is read from there. Give journal: { file: … } and start it.`,
    )
  const latest = latestHistory(path)
  // Reading all of a long journal takes its time.
  const isEnough = latest.begunAt === undefined || rowsOf(latest, list).length >= last
  const history = isEnough ? latest : await recordedLists(path)
  const rows = rowsOf(history, list).slice(-last)
  if (history.begunAt !== undefined && rows.length < last)
    err.write(
      `The journal keeps entries from ${at(history.begunAt)} on (journal.keepEntries); what was before is not listed.\n`,
    )
  if (json) out.write(`${JSON.stringify(rows)}\n`)
  else out.write(rows.length === 0 ? 'Nothing yet.\n' : `${rows.map(row => row.text).join('\n')}\n`)
}

function latestHistory(path: string): TradingHistory {
  const history = new TradingHistory(LIST_BOUNDS)
  const { entries, since } = latestEntries(path)
  if (since !== undefined) history.beginAt(since)
  for (const entry of entries) history.onEntry(entry)
  return history
}

/** Rows with their sentence for people. */
function rowsOf(history: TradingHistory, list: HistoryList): readonly { readonly text: string }[] {
  if (list === 'log')
    return history.lines.map(line => ({
      ...line,
      text: `${at(line.time)} ${line.level === 'info' ? '' : `${line.level.toUpperCase()} `}${line.text}`,
    }))
  if (list === 'trades')
    return history.trips.map(trip => ({
      ...trip,
      text: `${at(trip.exitTime)} ${trip.symbol} ${trip.direction.toUpperCase()} ${commas(trip.quantity)} from ${commas(trip.entryPrice)} to ${commas(trip.exitPrice)}: ${signedMoneyText(trip.pnl, trip.quote)} after fees of ${moneyText(trip.fees, trip.quote)} (${orderWord(trip.exitReason)})`,
    }))
  return history.orders.all.map(order => ({
    ...order,
    text: `${at(order.decidedAt)} ${order.symbol} ${order.side.toUpperCase()} ${commas(order.quantity)}, ${commas(order.plan)}, ${orderWord(order.purpose)}: ${orderStatusText(order.status, order.watchedBy)}, ${commas(order.filled)} filled${order.reason === undefined ? '' : ` (${order.reason})`} (id ${order.clientOrderId})`,
  }))
}

/** A quantity or a plan with a comma between the thousands of its numbers. */
function commas(text: string): string {
  return text.replaceAll(/\d+(?:\.\d+)?/g, grouped)
}

function at(time: number): string {
  return momentText(utcText(time))
}
