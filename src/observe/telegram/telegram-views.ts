import type { Bot } from '../../bot/bot.ts'
import type { OperatorRequest } from '../../bot/control/operator-request.ts'
import type { BotStatus } from '../../bot/log/bot-status.ts'
import { momentText } from '../../bot/text/figures.ts'
import { moneyList } from '../../bot/text/log-lines.ts'
import { orderPricesText } from '../../bot/text/order-prices-text.ts'
import { orderStatusText } from '../../bot/text/order-status-text.ts'
import { levelsText, positionNotes, positionText } from '../../bot/text/position-text.ts'
import { unprotectedText } from '../../bot/text/protection-text.ts'
import { grouped } from '../../domain/numbers/grouped.ts'
import { orderWord } from '../../domain/orders/order-words.ts'
import { heldSentence } from '../notices/daily-result.ts'
import type { TelegramView } from './telegram-command.ts'

/** A running bot, and what it has reported. */
export interface TelegramBot extends Pick<Bot, 'operate'> {
  /** The latest notices, oldest first. */
  readonly latest: () => readonly { readonly time: number; readonly sentence: string }[]
  /** The result of the day so far, in sentences. */
  readonly result: (status: BotStatus) => string
}

const HELP = `/status, /positions, /orders, /profit, /log: how it is
/pause 30m [symbol] [reason]: opens nothing for a while
/reduce, /halt [symbol] [reason]: opens nothing; sends nothing but protection, until resumed
/resume, /flatten, /kill [symbol] [reason]: after a confirmation`

/** A view of a bot as text. */
export async function viewText(view: TelegramView, bot: TelegramBot): Promise<string> {
  if (view === 'help') return HELP
  const answer = await bot.operate({ command: 'status' })
  if (!answer.ok) return answer.message
  const { status } = answer
  switch (view) {
    case 'status':
      return statusText(status, answer.message)
    case 'positions':
      return linesOr(
        'Nothing is held.',
        status.held.map(one =>
          [
            `${one.book}: ${positionText(one)}`,
            levelsText(one) ?? 'no protective order',
            ...positionNotes(one),
          ].join('\n  '),
        ),
      )
    case 'orders':
      return linesOr('No order works.', status.orders.map(orderText))
    case 'profit':
      return bot.result(status)
    case 'log':
      return linesOr(
        'Nothing yet.',
        bot.latest().map(({ time, sentence }) => `${momentText(new Date(time).toISOString())} ${sentence}`),
      )
  }
}

/** Effect of a command, and the question for its confirmation. */
export async function confirmationText(
  { command, symbol }: OperatorRequest,
  bot: TelegramBot,
): Promise<string> {
  const answer = await bot.operate({ command: 'status' })
  const where = symbol ?? 'the whole account'
  const held = answer.ok
    ? answer.status.held.filter(one => symbol === undefined || one.symbol === symbol)
    : []
  const closes = answer.ok ? heldSentence({ held }) : 'What is held is not known.'
  const what = {
    flatten: `This cancels the entries of ${where} and closes at market what is held. Strategies go on. ${closes}`,
    kill: `This cancels the entries of ${where}, closes at market what is held, and halts, also after a restart. ${closes}`,
    resume: `This lets ${where} trade again: it lifts pause, reduce, halt, kill, and what protections hold; what was closed stays closed.`,
  }[command as 'flatten' | 'kill' | 'resume'] // only these are asked about
  return `${what}\nConfirm within 60 s.`
}

function statusText(
  { bot, time, unprotected, nothingLeft, line, equity, held, strategies }: BotStatus,
  trading: string,
): string {
  return [
    `${bot} at ${momentText(time)}`,
    ...unprotected.map(unprotectedText),
    ...(nothingLeft === undefined ? [] : [nothingLeft]),
    ...(line.silence === undefined ? [] : [line.silence]),
    ...(line.failedCalls === 0
      ? []
      : [`Failed calls in 5 minutes: ${line.failedCalls}. ${line.lastFailure}`]),
    ...strategies.flatMap(({ book, stopped }) =>
      stopped === undefined ? [] : [`The strategy of ${book} has stopped: ${stopped.why}`],
    ),
    trading,
    `Equity ${moneyList(equity)}.`,
    heldSentence({ held }),
  ].join('\n')
}

/** An order that works, as a line. */
export function orderText(order: BotStatus['orders'][number]): string {
  const { symbol, side, quantity, unit, type, purpose, status, watchedBy } = order
  const terms = `${orderWord(type)} ${orderPricesText(order)}`.trimEnd()
  return `${symbol}: ${side.toUpperCase()} ${grouped(quantity)} ${unit} ${terms}, ${orderWord(purpose)}, ${orderStatusText(status, watchedBy)}`
}

function linesOr(nothing: string, lines: readonly string[]): string {
  return lines.length === 0 ? nothing : lines.join('\n')
}
