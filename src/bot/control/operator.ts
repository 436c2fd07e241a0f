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
  if (command === 'status' && symbol !== undefined)
    return `The status is that of the whole bot; leave ${symbol} out.`
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

/** States that an operator sets, from the least to the most strict. */
const STATES = ['paused', 'reducing', 'halted'] as const
const SET_BY: Readonly<Partial<Record<OperatorRequest['command'], (typeof STATES)[number]>>> = {
  pause: 'paused',
  reduce: 'reducing',
  halt: 'halted',
}

/**
 * Says that a request, to a bot of this status, changes nothing, because the operator has set the same or a stricter state of the
 * scope before; empty where it changes something.
 */
export function unchangedText({ command, symbol }: OperatorRequest, { trading }: BotStatus): string {
  const asked = SET_BY[command]
  const scope = trading.find(one => one.scope === scopeText({ symbol }))
  const hold = scope?.holds.find(({ source }) => source === 'operator')
  if (asked === undefined || hold === undefined) return ''
  const before = hold.mode === 'halted' ? 'halted' : hold.until === undefined ? 'reducing' : 'paused'
  if (asked === before)
    return asked === 'paused'
      ? ''
      : `It was ${before} before: this changes nothing, and the reason of then stays.`
  return STATES.indexOf(asked) > STATES.indexOf(before)
    ? ''
    : `It was ${before} before, which is stricter: this changes nothing; resume it first to ${command} it.`
}

/** True for a command that closes what is held. */
export function closesPositions({ command }: OperatorRequest): boolean {
  return command === 'flatten' || command === 'kill'
}

/** True for a command whose answer tells what books and account hold: both are compared again before it. */
export function tellsAccount(request: OperatorRequest): boolean {
  return closesPositions(request) || request.command === 'resume'
}

/**
 * Outcome of a command, in words: whether its scope trades now, and else what stands against that, then what holds
 * others back; what it closes is told by `Closings`.
 */
export function outcomeText({ command, symbol }: OperatorRequest, { trading }: BotStatus): string {
  const name = scopeText({ symbol })
  const own = trading.filter(({ scope }) => scope === name)
  const holder = own.some(isHeldByAccount) ? 'account' : undefined
  const others = trading.filter(
    ({ scope, mode, haltedUntilStart }) =>
      ![name, holder].includes(scope) && (mode !== 'active' || haltedUntilStart !== undefined),
  )
  const still = command === 'resume' ? 'still ' : ''
  const alone = others.map(scope => ({ ...scope, effectiveMode: scope.mode })) // what holds it back itself
  const [first, ...rest] = [...own, ...alone].map(scope => stateText(scope, trading, still))
  if (first === undefined) return ''
  const isButPartly = command === 'resume' && own.some(isTrading) && rest.length > 0
  const sentences = isButPartly ? [`${first.slice(0, -1)}, but ${rest.join(' ')}`] : [first, ...rest]
  return sentences.map(capitalized).join(' ')
}

function isTrading({ effectiveMode, haltedUntilStart }: ScopeStatus): boolean {
  return effectiveMode === 'active' && haltedUntilStart === undefined
}

/** True for an instrument that nothing but a hold of the account holds back. */
function isHeldByAccount({ mode, effectiveMode, haltedUntilStart }: ScopeStatus): boolean {
  return mode !== effectiveMode && haltedUntilStart === undefined
}

/**
 * `trading of the account is still reducing. The operator paused. Until 2026-01-01 00:30:00 UTC.`; `still` is put before a
 * mode that is not active.
 */
function stateText(status: ScopeStatus, all: readonly ScopeStatus[], still: string): string {
  const { scope, effectiveMode, holds, haltedUntilStart } = status
  const name = `trading of ${scope === 'account' ? 'the account' : scope}`
  if (haltedUntilStart !== undefined)
    return [
      `${name} is ${still}halted until the bot is started again: ${haltedUntilStart}`,
      ...reasonsOf(holds),
    ].join(' ')
  if (!isHeldByAccount(status))
    return [
      `${name} is ${effectiveMode === 'active' ? '' : still}${effectiveMode}.`,
      ...reasonsOf(holds),
    ].join(' ')
  const wider = all.find(one => one.scope === 'account')
  const reasons = [...reasonsOf(holds), ...reasonsOf(wider?.holds ?? [])]
  return `${name} is ${still}${effectiveMode}, because the account is: ${reasons.join(' ')}`
}

function reasonsOf(holds: ScopeStatus['holds']): readonly string[] {
  return holds.map(({ reason, until }) =>
    until === undefined ? reason : `${reason} Until ${momentText(until)}.`,
  )
}

function capitalized(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
}
