import type { BotHealth } from '../../bot/log/bot-health.ts'
import type { BotStatus } from '../../bot/log/bot-status.ts'
import type { TradingHistory } from '../history/trading-history.ts'

/** One sign of health. */
export interface HealthSign {
  readonly name: string
  readonly value: string
  /** In place of a value, where it is a moment: ms UTC. */
  readonly time?: number
  readonly level: 'good' | 'warn' | 'bad'
}

interface HealthSources {
  readonly history: TradingHistory
  readonly status: BotStatus
  readonly health: BotHealth
}

const COMPARISONS = { notYet: 'not compared yet', agreed: 'agree', differs: 'differ' } as const

/** The signs of a running bot, each with a level that says whether to look closer. */
export function healthSigns({ history, status, health }: HealthSources): readonly HealthSign[] {
  const { line, comparison, orders } = status
  const unknown = orders.filter(order => order.status === 'unknown').length
  const lastKline = Math.max(...history.streams.map(stream => closeOf(history, stream)))
  const decision = history.decisions.at(-1)
  const { weight, clockUncertaintyMs, uncommitted } = health
  const isSilent = line.silence !== undefined || line.failedCalls > 0
  const isAway = line.silence !== undefined || line.failingSince !== undefined
  return [
    moment('Close of the last kline', Number.isFinite(lastKline) ? lastKline : undefined),
    sign('Connection', line.silence ?? failuresText(line.failedCalls), isSilent ? 'warn' : 'good'),
    sign('Clock uncertainty', `${clockUncertaintyMs} ms`, clockUncertaintyMs > 1000 ? 'warn' : 'good'),
    sign('Unknown orders', `${unknown}`, unknown > 0 ? 'bad' : 'good'),
    booksSign(comparison, isAway),
    ...(weight === undefined
      ? []
      : [
          sign(
            'Weight used',
            `${weight.used} of ${weight.limit}`,
            weight.used > 0.8 * weight.limit ? 'warn' : 'good',
          ),
        ]),
    sign('Journal behind', `${uncommitted} entries`, 'good'),
    moment('Last decision', decision?.time),
  ]
}

function sign(name: string, value: string, level: HealthSign['level']): HealthSign {
  return { name, value, level }
}

/** While calls fail nothing is compared: an agreement is of before. */
function booksSign(comparison: BotStatus['comparison'], isAway: boolean): HealthSign {
  const name = 'Account and books'
  if (isAway && comparison === 'agreed') return sign(name, 'agreed before calls failed', 'warn')
  return sign(name, COMPARISONS[comparison], comparison === 'differs' ? 'bad' : 'good')
}

function failuresText(count: number): string {
  return count === 0 ? 'good' : `${count} failed calls in 5 minutes`
}

function moment(name: string, time: number | undefined): HealthSign {
  return { name, value: 'none yet', level: 'good', ...(time !== undefined && { time }) }
}

/** Close time of the latest kline of a stream, ms UTC: the next one opens there. */
function closeOf(history: TradingHistory, stream: string): number {
  const [before, last] = history.klines(stream).slice(-2)
  if (before === undefined || last === undefined) return before?.openTime ?? Number.NEGATIVE_INFINITY
  return last.openTime + (last.openTime - before.openTime)
}
