import type { BotStatus } from '../../bot/log/bot-status.ts'
import { heldBackTexts } from '../../bot/log/held-back-texts.ts'
import { awayText, staleText } from '../../bot/log/line-trouble.ts'
import { unprotectedText } from '../../bot/text/protection-text.ts'

/** State of a bot for a watchdog. */
export interface Readiness {
  /** False if the bot does not answer: a restart may help. */
  readonly isAlive: boolean
  /** Reasons that it does not trade as it should, in sentences; empty when it is ready. */
  readonly reasons: readonly string[]
}

/** Readiness by the status of a bot, or by the reason that there is none. */
export function readinessOf(status: BotStatus | 'starting' | 'silent' | 'ending'): Readiness {
  if (status === 'silent') return { isAlive: false, reasons: ['The bot does not answer.'] }
  if (status === 'starting') return { isAlive: true, reasons: ['The bot is starting.'] }
  if (status === 'ending') return { isAlive: true, reasons: ['The bot is shutting down.'] }
  const { comparison, line, unprotected, strategies, orders } = status
  const away = awayText(line)
  const unknown = orders.filter(order => order.status === 'unknown').length
  return {
    isAlive: true,
    reasons: [
      ...unprotected.map(unprotectedText),
      ...(status.nothingLeft === undefined ? [] : [status.nothingLeft]),
      ...heldBackTexts(status),
      ...strategies.flatMap(({ strategy, symbol, stopped }) =>
        stopped?.how === 'threw' ? `The strategy ${strategy} on ${symbol} has stopped: ${stopped.why}` : [],
      ),
      ...(comparison === 'agreed' ? [] : [COMPARISONS[comparison]]),
      ...(unknown > 0
        ? [`The outcome of ${unknown === 1 ? 'an order' : `${unknown} orders`} at the exchange is not known.`]
        : []),
      ...(away === undefined ? [] : [away]),
      ...(line.stale ?? []).map(staleText),
    ],
  }
}

const COMPARISONS = {
  notYet: 'Account and books were not compared yet.',
  differs: 'Account and books differ.',
} as const
