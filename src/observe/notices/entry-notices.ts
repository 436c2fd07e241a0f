import { noticeLines } from '../../bot/log/notice-lines.ts'
import type { CommandRecord, OperatorOrigin } from '../../bot/state/command-record.ts'
import type { SessionRecord } from '../../bot/state/session-record.ts'
import { durationText, signedMoneyText } from '../../bot/text/figures.ts'
import { bookOf, wholeBook } from '../../domain/book-names.ts'
import { type EngineOutput, isCommand, type Notice } from '../../domain/events/engine-output.ts'
import { scopeText } from '../../domain/events/trading-hold.ts'
import type { Instrument } from '../../domain/instrument.ts'
import { add, amountToText, ZERO } from '../../domain/numbers/amount.ts'
import { priceText, quantityText } from '../../domain/numbers/grid.ts'
import { InvariantError } from '../../domain/sluice-error.ts'
import type { NewEntry } from '../../journal/journal.ts'
import { strictestFirst } from '../../risk/trading-state.ts'
import { type BotNotice, botNotice, type GivenNotice } from './bot-notice.ts'

/** Makes notices of what the journal takes. */
export class EntryNotices {
  readonly #instruments = new Map<string, Instrument>()
  /** The strategy of each book that has traded since the start. */
  readonly #strategies = new Map<string, string>()

  /** The notices of an entry; the casts name what `RecordedEngine` writes. */
  of({ kind, time, body, decisions }: NewEntry): readonly BotNotice[] {
    if (kind === 'session') this.#begin(body as SessionRecord)
    if (kind === 'operator') return [commandNotice(body as CommandRecord, time)]
    if (kind !== 'event' || decisions === undefined) return []
    const notices = (decisions as readonly EngineOutput[]).filter(output => !isCommand(output))
    this.#learnStrategies(notices)
    return notices.flatMap(notice => this.#ofNotice(notice, notices, time))
  }

  #begin({ instruments }: SessionRecord): void {
    for (const instrument of instruments) this.#instruments.set(instrument.symbol, instrument)
  }

  #learnStrategies(notices: readonly Notice[]): void {
    for (const notice of notices) {
      if (notice.type !== 'fillBooked') continue
      const { request } = notice.order
      this.#strategies.set(wholeBook(bookOf(request)), request.strategy)
    }
  }

  #ofNotice(notice: Notice, entry: readonly Notice[], time: number): readonly BotNotice[] {
    const given = this.#termsOf(notice, entry)
    if (given === undefined) return []
    const sentence = this.#lineOf(notice)
    return sentence === undefined ? [] : [botNotice({ sentence, time, ...given })]
  }

  /** The notice as the log words it; `undefined` if the log leaves it out. */
  #lineOf(notice: Notice): string | undefined {
    return noticeLines(notice, symbol => this.#instrumentOf(symbol))[0]?.text
  }

  /** Kind, key and figures; `undefined` for what is in the log alone. `entry`: all notices of the same event. */
  #termsOf(
    notice: Notice,
    entry: readonly Notice[],
  ): (Partial<GivenNotice> & Pick<GivenNotice, 'kind'>) | undefined {
    switch (notice.type) {
      case 'fillBooked':
        return this.#fillTerms(notice)
      case 'roundTripClosed':
        return this.#roundTripTerms(notice)
      case 'denied': {
        const { rule, limit, actual, intent } = notice.denial
        const { symbol, strategy } = intent
        return {
          kind: 'orderDenied',
          key: `orderDenied ${symbol} ${rule}`,
          symbol,
          strategy,
          figures: { rule, limit, actual },
        }
      }
      case 'orderChanged': {
        if (notice.order.status !== 'rejected') return undefined
        const { symbol, strategy, clientOrderId } = notice.order.request
        return {
          kind: 'orderRejected',
          key: `orderRejected ${symbol}`,
          symbol,
          strategy,
          figures: { clientOrderId },
        }
      }
      case 'groupOverfilled':
        return {
          kind: 'groupOverfilled',
          symbol: notice.fill.symbol,
          key: `groupOverfilled ${notice.fill.clientOrderId}`,
        }
      case 'positionLiquidated':
        return this.#liquidationTerms(notice, entry)
      case 'tradingStateChanged':
        return tradingTerms(notice)
      case 'strategyFailed':
        // The stack stays in the log.
        return {
          kind: 'strategyFailed',
          key: `strategyFailed ${notice.book}`,
          symbol: notice.symbol,
          strategy: notice.strategy,
          sentence: `The strategy on ${notice.book} threw and decides nothing more until the bot is started again. ${notice.error.message}`,
        }
      case 'strategyEnded':
        return {
          kind: 'strategyEnded',
          key: `strategyEnded ${notice.book}`,
          symbol: notice.symbol,
          strategy: notice.strategy,
        }
      case 'instrumentHalted':
        return { kind: 'instrumentHalted', key: `instrumentHalted ${notice.symbol}`, symbol: notice.symbol }
      case 'signaled':
      case 'protectionRefused':
      case 'exitSentAgain':
      case 'exitReplaced':
      case 'targetMissed':
      case 'fundingBooked':
        return undefined
    }
  }

  #fillTerms({ fill, order }: Extract<Notice, { type: 'fillBooked' }>) {
    const { symbol, side, price, quantity, fee, feeAsset, clientOrderId, id } = fill
    const instrument = this.#instrumentOf(symbol)
    const figures = {
      ...{ side, clientOrderId },
      price: priceText(instrument, price),
      quantity: quantityText(instrument, quantity),
      fee: `${amountToText(fee)} ${feeAsset}`,
    }
    return {
      kind: 'fill',
      key: `fill ${symbol} ${id}`,
      symbol,
      strategy: order.request.strategy,
      figures,
    } as const
  }

  #roundTripTerms({ roundTrip }: Extract<Notice, { type: 'roundTripClosed' }>) {
    const { symbol, book, direction, pnl, fees, entryTime, exitTime, exitReason, quantity } = roundTrip
    const { quote } = this.#instrumentOf(symbol)
    const figures = {
      ...{ direction, exitReason, quote },
      pnl: amountToText(pnl),
      fees: amountToText(fees),
    }
    return {
      kind: 'roundTrip',
      key: `roundTrip ${symbol} ${entryTime} ${exitTime} ${quantity} ${pnl}`,
      symbol,
      ...this.#strategyOf(book),
      figures,
    } as const
  }

  /** Its result is that of the round trips that it ended, which follow it in the same entry. */
  #liquidationTerms(notice: Extract<Notice, { type: 'positionLiquidated' }>, entry: readonly Notice[]) {
    const { symbol, book, by, direction, quantity, price } = notice.liquidation
    const kind = by === undefined ? 'liquidated' : 'closedOutside'
    const instrument = this.#instrumentOf(symbol)
    const { quote } = instrument
    const ended = entry.flatMap(other => (other.type === 'roundTripClosed' ? other.roundTrip.pnl : []))
    const pnl = amountToText(ended.reduce(add, ZERO))
    const figures = {
      ...{ direction, pnl, quote },
      quantity: quantityText(instrument, quantity),
      price: priceText(instrument, price),
    }
    return {
      kind,
      key: `${kind} ${book} ${notice.time}`,
      symbol,
      ...this.#strategyOf(book),
      figures,
      sentence: `${this.#lineOf(notice)}. Result: ${signedMoneyText(pnl, quote)} after fees.`,
    } as const
  }

  #strategyOf(book: string): { readonly strategy?: string } {
    const strategy = this.#strategies.get(wholeBook(book))
    return strategy === undefined ? {} : { strategy }
  }

  #instrumentOf(symbol: string): Instrument {
    const instrument = this.#instruments.get(symbol)
    if (instrument !== undefined) return instrument
    throw new InvariantError(`The session trades no ${symbol}.`)
  }
}

function tradingTerms({ scope, mode, holds }: Extract<Notice, { type: 'tradingStateChanged' }>) {
  const key = `trading ${scopeText(scope)}`
  const figures = {
    mode,
    sources: strictestFirst(holds)
      .map(({ source }) => source)
      .join(', '),
  }
  const of = {
    ...(scope.symbol !== undefined && { symbol: scope.symbol }),
    ...(scope.strategy !== undefined && { strategy: scope.strategy }),
  }
  const severity = mode === 'halted' ? 'critical' : 'warning'
  const state = mode === 'active' ? 'resolved' : 'raised'
  return { kind: 'trading', severity, key, figures, state, ...of } as const
}

const ORIGINS: Readonly<Record<OperatorOrigin['from'], string>> = {
  terminal: 'at the terminal',
  telegram: 'on Telegram',
  window: 'in the window',
}

function commandNotice({ origin, request, ok, isRefused, message }: CommandRecord, time: number): BotNotice {
  const { command, symbol, forMs, reason } = request
  const asked = [
    command,
    ...(symbol === undefined ? [] : [symbol]),
    ...(forMs === undefined ? [] : [`for ${durationText(forMs)}`]),
  ].join(' ')
  const why = reason === undefined ? '' : ` (${reason})`
  const outcome = ok ? '' : isRefused ? ', refused' : ', not all of it done'
  return botNotice({
    kind: 'command',
    ...(isRefused && { severity: 'info' }),
    // Each command counts.
    key: `command ${time} ${origin.from} ${command}`,
    sentence: `${asked}${why}, by ${origin.who} ${ORIGINS[origin.from]}${outcome}: ${message}`,
    figures: { command, from: origin.from, who: origin.who, ok: String(ok) },
    ...(symbol !== undefined && { symbol }),
    time,
  })
}
