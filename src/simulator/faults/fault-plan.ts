import type { ExchangeResponse } from '../protocol/exchange-response.ts'
import { refusalText } from '../protocol/refusal.ts'
import { type AllowedPrecision, withAllowedPrecision } from './allowed-precision.ts'
import { type Distortion, distortedJson, withLastEntriesRepeated } from './distorted-json.ts'
import type { ActiveFault } from './fault-control.ts'
import type { FaultRule } from './fault-rule.ts'
import { withOddPrices } from './odd-prices.ts'

/** Combined effect of the faults that hit a call. */
export interface FaultPlan {
  /** Transit time of the request, ms. */
  lateMs: number
  /** Extra delay of the answer, ms. */
  delayMs: number
  /** Lead of the exchange's clock, ms. */
  skewMs: number
  /** Delay before an order reaches the book, ms. */
  matchingDelayMs: number
  /** Delay before a cancel is executed, ms. */
  cancelDelayMs: number
  /** Age of the state that is answered from, ms. */
  lagMs: number
  reset: 'before' | 'after' | undefined
  /** Answered instead of processing. */
  refusal: ExchangeResponse | undefined
  /** True if a 504 replaces the answer after processing. */
  timesOut: boolean
  /** Changes of the answer's text, in turn. */
  readonly rewrites: ((body: string) => string)[]
  /** Bytes of the body that arrive; negative: half of them. */
  truncateAt: number | undefined
  readonly precisions: AllowedPrecision[]
}

const HALF = -1

/** Combines the effects of several faults on one call of `path`. */
export function faultPlanOf(faults: readonly ActiveFault[], path: string): FaultPlan {
  const plan: FaultPlan = {
    ...{ lateMs: 0, delayMs: 0, skewMs: 0, matchingDelayMs: 0, cancelDelayMs: 0, lagMs: 0 },
    ...{ reset: undefined, refusal: undefined, timesOut: false, truncateAt: undefined },
    rewrites: [],
    precisions: [],
  }
  for (const fault of faults) apply(fault, fault.rule, plan, path)
  return plan
}

function apply({ random }: ActiveFault, rule: FaultRule, plan: FaultPlan, path: string): void {
  switch (rule.fault) {
    case 'delay':
      plan.delayMs += durationOf(rule, random)
      break
    case 'lateArrival':
      plan.lateMs += durationOf(rule, random)
      break
    case 'dropBefore':
    case 'restart':
      plan.reset = 'before'
      break
    case 'dropAfter':
      plan.reset ??= 'after'
      break
    case 'cutAnswer':
      plan.truncateAt = rule.afterBytes ?? HALF
      break
    case 'gatewayTimeout':
      plan.timesOut = true
      break
    case 'serverError':
    case 'page':
    case 'tooManyRequests':
    case 'banned':
    case 'maintenance':
    case 'refused':
      plan.refusal ??= refusalOf(rule, path)
      break
    case 'staleRead':
      plan.lagMs = Math.max(plan.lagMs, rule.lagMs)
      break
    case 'pendingCancel':
      plan.cancelDelayMs = rule.delayMs
      break
    case 'slowFills':
      plan.matchingDelayMs = rule.delayMs
      break
    case 'clockSkew':
      plan.skewMs += rule.skewMs
      break
    case 'changedPrecision':
      plan.precisions.push(rule)
      plan.rewrites.push(body => withAllowedPrecision(body, rule))
      break
    case 'oddPrices':
      plan.rewrites.push(body => withOddPrices(body, path, rule.as, rule.factor))
      break
    default:
      plan.rewrites.push(rewriteOf(rule))
  }
}

function durationOf(rule: { delayMs: number; jitterMs: number }, random: ActiveFault['random']): number {
  return rule.delayMs + (rule.jitterMs === 0 ? 0 : Math.floor(random.uniform() * (rule.jitterMs + 1)))
}

type Refusing = Extract<
  FaultRule,
  { fault: 'serverError' | 'page' | 'tooManyRequests' | 'banned' | 'maintenance' | 'refused' }
>

/** Codes and wording of the supplement, section 2. */
function refusalOf(rule: Refusing, path: string): ExchangeResponse {
  switch (rule.fault) {
    case 'serverError':
      return { status: rule.status, body: refusalText(-1000, 'An unknown error occurred.', path) }
    case 'page':
      return { status: rule.status, body: '<html><body>Access denied</body></html>' }
    case 'refused':
      return { status: 400, body: refusalText(rule.code, 'The order is refused for now.', path) }
    case 'maintenance':
      return { status: 503, body: refusalText(-1016, 'This service is no longer available.', path) }
    case 'tooManyRequests':
    case 'banned': {
      const status = rule.fault === 'banned' ? 418 : 429
      const headers = rule.retryAfterS === undefined ? {} : { 'retry-after': String(rule.retryAfterS) }
      return { status, body: refusalText(-1003, 'Too many requests.', path), headers }
    }
  }
}

type Rewriting = Extract<FaultRule, { fault: Distortion | 'duplicatedEntries' | 'truncatedJson' }>

function rewriteOf(rule: Rewriting): (body: string) => string {
  if (rule.fault === 'duplicatedEntries') return withLastEntriesRepeated
  if (rule.fault === 'truncatedJson') {
    return body => body.slice(0, rule.afterBytes ?? Math.floor(body.length / 2))
  }
  return body => distortedJson(body, rule.fault)
}

/** The answer as sent, once the call has been processed. */
export function distortedResponse(
  response: ExchangeResponse,
  plan: FaultPlan,
  path: string,
): ExchangeResponse {
  if (plan.timesOut) {
    const body = refusalText(-1007, 'Timeout waiting for response from backend server.', path)
    return delivered({ status: 504, body }, plan)
  }
  const body = plan.rewrites.reduce((text, rewrite) => rewrite(text), response.body)
  return delivered({ ...response, body }, plan)
}

/** The answer with its delivery. */
export function delivered(
  response: ExchangeResponse,
  { delayMs, reset, truncateAt }: FaultPlan,
): ExchangeResponse {
  const delivery = {
    ...(delayMs > 0 && { delayMs }),
    ...(reset !== undefined && { reset }),
    ...(truncateAt !== undefined && {
      truncateAt: truncateAt === HALF ? Math.floor(response.body.length / 2) : truncateAt,
    }),
  }
  return Object.keys(delivery).length === 0 ? response : { ...response, delivery }
}
