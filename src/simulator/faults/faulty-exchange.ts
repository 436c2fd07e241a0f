import { applyChange, type CoreChange } from '../core-change.ts'
import { type ExchangeEdge, edgeOf } from '../dialects/dialect-edge.ts'
import { EventLog } from '../event-log.ts'
import { type CallConditions, type ExchangeCore, USUAL_CONDITIONS } from '../exchange-core.ts'
import type { ExchangeInput } from '../exchange-input.ts'
import { ApiError } from '../protocol/api-error.ts'
import type { ExchangeResponse } from '../protocol/exchange-response.ts'
import { refusal } from '../protocol/refusal.ts'
import { type ExchangeRequest, splitTarget } from '../protocol/request-authentication.ts'
import type { SimulatorConfig } from '../simulator-config.ts'
import { exceedsPrecision } from './allowed-precision.ts'
import { FaultControl } from './fault-control.ts'
import { delivered, distortedResponse, type FaultPlan, faultPlanOf } from './fault-plan.ts'
import { faultRule } from './fault-rule.ts'
import { LaggingReplica } from './lagging-replica.ts'
import { Restarts } from './restarts.ts'

export interface FaultyExchangeSetup {
  readonly config: SimulatorConfig
  /** Creates an exchange without faults. */
  readonly createCore: (config: SimulatorConfig) => ExchangeCore
  /** Allowed ages of stale reads, ms. */
  readonly lags: ReadonlySet<number>
}

/** Placeholder answer of an input that is not a request. */
const NOTHING: ExchangeResponse = { status: 200, body: '{}' }
/** Refusals of an unauthenticated caller. */
const NOT_AUTHENTICATED = /^\{"code":"?-(?:1002|102[1-4]|2015)\b/

/** An exchange with faults, a function of its inputs alone. */
export class FaultyExchange {
  readonly core: ExchangeCore
  readonly faults: FaultControl
  readonly log: EventLog
  /** Called with every change besides the passing of time, before its answer leaves. */
  onChange: ((change: CoreChange) => void) | undefined
  /** Called instead with an observation that touched no account. */
  onHeard: ((change: CoreChange) => void) | undefined
  readonly #config: SimulatorConfig
  readonly #edge: ExchangeEdge
  readonly #usual: CallConditions
  readonly #replicas: ReadonlyMap<number, LaggingReplica>
  readonly #restarts = new Restarts()
  #isOpen = false

  constructor({ config, createCore, lags }: FaultyExchangeSetup) {
    this.#config = config
    this.#edge = edgeOf(config.dialect)
    this.#usual = { ...USUAL_CONDITIONS, cancelDelayMs: this.#edge.cancelDelayMs }
    this.core = createCore(config)
    this.faults = new FaultControl(config.seed)
    this.log = new EventLog(config.keptEvents)
    this.#replicas = new Map([...lags].map(lag => [lag, new LaggingReplica(createCore(config), lag)]))
  }

  /** True if reads of this age can be answered. */
  hasReplica(lagMs: number): boolean {
    return this.#replicas.has(lagMs)
  }

  /** Takes the next input; throws `UsageError` for one that cannot be. */
  apply(input: ExchangeInput): ExchangeResponse {
    this.#advance(input.time)
    switch (input.type) {
      case 'advance':
        return NOTHING
      case 'request':
        return this.#hear(input.request, input.time, input.hasArrived)
      case 'setFault': {
        const { id, rule } = this.faults.set(faultRule.parse(input.rule), input.time)
        this.log.write('faultSet', input.time, { id, fault: rule.fault })
        return { status: 200, body: JSON.stringify({ id }) }
      }
      case 'liftFault': {
        const lifted = this.faults.lift(input.id)
        this.log.write('faultLifted', input.time, { id: input.id, lifted })
        return { status: 200, body: JSON.stringify({ lifted }) }
      }
      case 'observe':
        if (this.#step(input.time, core => core.observe(input.observation))) this.onChange?.(input)
        else this.onHeard?.(input)
        return NOTHING
      case 'deposit':
      case 'shock': {
        const { type, time, ...fields } = input
        this.#change(input)
        this.log.write(type, time, { ...fields })
        return NOTHING
      }
    }
  }

  /** The exchange opens at its first time; then the faults of its configuration are set. */
  #advance(to: number): void {
    if (!this.#isOpen) {
      this.#isOpen = true
      this.core.advance(to)
      for (const replica of this.#replicas.values()) replica.open(to)
      for (const rule of this.#config.faults) this.faults.set(rule, to)
    }
    for (const time of this.#restarts.due(this.faults.active, to)) {
      this.#change({ type: 'ordersLost', time })
      this.log.write('ordersLost', Math.max(time, this.core.state.now), {})
    }
    this.core.advance(to)
  }

  /** Faults and the log know documented calls only. */
  #hear(request: ExchangeRequest, now: number, hasArrived: boolean): ExchangeResponse {
    const heard = this.#edge.hear(request)
    return heard.answer(this.#handle(heard.request, now, hasArrived), now)
  }

  #handle(request: ExchangeRequest, now: number, hasArrived: boolean): ExchangeResponse {
    const { method } = request
    const { path } = splitTarget(request.target)
    const struck = hasArrived ? [] : this.faults.strike(method, path, now)
    const response =
      struck.length === 0
        ? this.#process(request, now)
        : this.#disturb(request, now, faultPlanOf(struck, path))
    this.log.write('request', now, {
      method,
      path,
      status: response.status,
      ...(struck.length > 0 && { faults: struck.map(({ rule }) => rule.fault) }),
    })
    return response
  }

  #disturb(request: ExchangeRequest, now: number, plan: FaultPlan): ExchangeResponse {
    const { path } = splitTarget(request.target)
    if (plan.reset === 'before') return delivered(NOTHING, plan)
    if (plan.lateMs > 0) return { ...NOTHING, delivery: { arriveAfterMs: plan.lateMs } }
    if (plan.refusal !== undefined) return delivered(plan.refusal, plan)
    if (plan.precisions.some(allowed => exceedsPrecision(path, request.body, allowed))) {
      const error = new ApiError('PRICE_VOLUME_PRECISION')
      return delivered(refusal(error, path, this.#config.httpOkOnErrors), plan)
    }
    const { skewMs, matchingDelayMs } = plan
    const cancelDelayMs = Math.max(plan.cancelDelayMs, this.#usual.cancelDelayMs)
    const fresh = this.#process(request, now, { ...this.#usual, skewMs, matchingDelayMs, cancelDelayMs })
    return distortedResponse(this.#stale(request, fresh, now, plan.lagMs), plan, path)
  }

  #process(request: ExchangeRequest, now: number, conditions = this.#usual): ExchangeResponse {
    let isWrite = false
    const onWrite = () => {
      isWrite = true
    }
    const response = this.#step(now, core => core.handle(request, now, { ...conditions, onWrite }))
    // The request has passed the checks. A replay cannot repeat them, because it lacks the count of earlier
    // calls.
    if (isWrite)
      this.onChange?.({ type: 'request', time: now, request, conditions: { ...conditions, isTrusted: true } })
    return response
  }

  #change(change: CoreChange): void {
    this.#step(change.time, core => applyChange(core, change))
    this.onChange?.(change)
  }

  /** Answer to a read as of `lagMs` ago. Refusals of the signature or key stay as they are. */
  #stale(request: ExchangeRequest, fresh: ExchangeResponse, now: number, lagMs: number): ExchangeResponse {
    const replica = request.method === 'GET' ? this.#replicas.get(lagMs) : undefined
    if (replica === undefined || NOT_AUTHENTICATED.test(fresh.body)) return fresh
    const { core, time } = replica.at(now)
    return core.handle(request, time, { ...USUAL_CONDITIONS, isTrusted: true })
  }

  #step<Result>(time: number, step: (core: ExchangeCore) => Result): Result {
    for (const replica of this.#replicas.values()) replica.hear(time, step)
    return step(this.core)
  }
}
