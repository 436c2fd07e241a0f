import type { TradingCommand, TradingCommanded } from '../../domain/events/trading-event.ts'
import { scopeText } from '../../domain/events/trading-hold.ts'
import { suggestion } from '../../domain/nearest-name.ts'
import type { BotStatus, ScopeStatus } from '../log/bot-status.ts'
import { momentText } from '../text/figures.ts'
import type { OperatorRequest } from './operator-request.ts'

const REASONS: Readonly<Record<TradingCommand, string>> = {
  pause: 'The operator paused.',
  resume: 'The operator resumed.',
  reduce: 'The operator lets positions only become smaller.',
  flatten: 'The operator closes what is held.',
  halt: 'The operator halted.',
  kill: 'The operator pulled the kill switch.',
}

/** Problem of a request, in a sentence; `undefined` if it is valid. */
export function requestProblem(
  { command, symbol, forMs }: OperatorRequest,
  traded: ReadonlySet<string>,
): string | undefined {
  if (symbol !== undefined && !traded.has(symbol))
    return `This bot does not trade ${symbol}.${suggestion(symbol, [...traded])}`
  if (command === 'pause' && forMs === undefined)
    return 'A pause needs its length; to hold back until you resume, use reduce or halt.'
  if (command !== 'pause' && forMs !== undefined)
    return `Only a pause has a length; leave it out of ${command}.`
  return undefined
}

/** A request as the engine takes it; `now` is ms UTC. */
export function commandOf(
  { command, symbol, forMs, reason }: OperatorRequest,
  now: number,
): TradingCommanded | undefined {
  if (command === 'status') return undefined
  return {
    type: 'tradingCommanded',
    command,
    by: 'operator',
    symbol,
    until: forMs === undefined ? undefined : now + forMs,
    reason: reason === undefined ? REASONS[command] : `${REASONS[command].slice(0, -1)}: ${sentence(reason)}`,
    time: now,
  }
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}

/** True for a command that closes what is held. */
export function closesPositions({ command }: OperatorRequest): boolean {
  return command === 'flatten' || command === 'kill'
}

/** True for a command whose answer tells what books and account hold: both are compared again before it. */
export function tellsAccount(request: OperatorRequest): boolean {
  return closesPositions(request) || request.command === 'resume'
}

/** Outcome of a command, in words; what it closes is told by `Closings`. */
export function outcomeText({ symbol }: OperatorRequest, { trading }: BotStatus): string {
  const name = scopeText({ symbol })
  const own = trading.find(({ scope }) => scope === name)
  const others = trading.filter(
    ({ scope, mode, haltedUntilStart }) =>
      scope !== name && (mode !== 'active' || haltedUntilStart !== undefined),
  )
  return [...(own === undefined ? [] : [stateText(own)]), ...others.map(stateText)].join(' ')
}

/** `account: reducing until 2026-01-01T00:30:00Z (The operator paused.)`. */
function stateText({ scope, mode, holds, haltedUntilStart }: ScopeStatus): string {
  const reasons = holds.map(({ reason, until }) =>
    until === undefined ? reason : `${reason} Until ${momentText(until)}.`,
  )
  const name = `Trading of ${scope === 'account' ? 'the account' : scope}`
  const text =
    haltedUntilStart === undefined
      ? `${name} is ${mode}.`
      : `${name} is halted until the bot is started again: ${haltedUntilStart}`
  return [text, ...reasons].join(' ')
}
