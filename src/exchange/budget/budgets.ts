import type { Endpoint } from '../endpoints/endpoint.ts'
import type { CallLimits } from './call-limits.ts'
import { allowanceOf, type Lane } from './lane.ts'
import type { Need } from './need.ts'
import { SlidingWindow } from './sliding-window.ts'

const MINUTE = 60_000

/** Used part of a limit. */
export interface Usage {
  readonly used: number
  readonly limit: number
}

/** Usage of the shared limits, and of the own limit of each endpoint called so far. */
export interface BudgetState {
  /** Weight in the last minute, of the address. */
  readonly ip: Usage
  /** Weight in the last minute, of the account. */
  readonly uid: Usage
  /** Calls in flight. */
  readonly inFlight: Usage
  /** Calls in the endpoint's window, by endpoint key. */
  readonly endpoints: Readonly<Record<string, Usage>>
}

/**
 * Limits of one client: weight per IP address, weight per account, calls in flight, and rate limits of
 * endpoints.
 */
export class Budgets {
  readonly #limits: CallLimits
  readonly #ip: SlidingWindow
  readonly #uid: SlidingWindow
  readonly #inFlight: SlidingWindow
  readonly #endpoints = new Map<string, SlidingWindow>()

  constructor(limits: CallLimits) {
    this.#limits = limits
    this.#ip = new SlidingWindow(limits.ipWeightPerMinute, MINUTE)
    this.#uid = new SlidingWindow(limits.uidWeightPerMinute, MINUTE)
    this.#inFlight = new SlidingWindow(limits.maxInFlight, 0)
  }

  /**
   * Limits that a call counts for: a public call for the IP address, a signed call also for the account.
   * Lanes share all but the endpoint's own limit, which hardly ever serves two lanes.
   */
  needsOf(endpoint: Endpoint, weight: number, lane: Lane): readonly Need[] {
    const needs = [shared(this.#ip, weight, lane), shared(this.#inFlight, 1, lane)]
    if (endpoint.security !== 'NONE') needs.push(shared(this.#uid, weight, lane))
    const own = this.#windowOf(endpoint)
    if (own !== undefined) needs.push({ window: own, weight: 1, allowance: own.limit })
    return needs
  }

  /** True for a limit that every call counts for. */
  isForAll(window: SlidingWindow): boolean {
    return window === this.#ip || window === this.#inFlight
  }

  state(now: number): BudgetState {
    const usage = (window: SlidingWindow): Usage => ({ used: window.used(now), limit: window.limit })
    return {
      ip: usage(this.#ip),
      uid: usage(this.#uid),
      inFlight: usage(this.#inFlight),
      endpoints: Object.fromEntries([...this.#endpoints].map(([key, window]) => [key, usage(window)])),
    }
  }

  #windowOf({ key, rateLimit }: Endpoint): SlidingWindow | undefined {
    if (rateLimit === undefined || !this.#limits.perEndpoint) return undefined
    const window = this.#endpoints.get(key) ?? new SlidingWindow(rateLimit.calls, rateLimit.perMs)
    this.#endpoints.set(key, window)
    return window
  }
}

function shared(window: SlidingWindow, weight: number, lane: Lane): Need {
  return { window, weight, allowance: allowanceOf(lane, window.limit) }
}
