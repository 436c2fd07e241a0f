import type { FaultRuleInput } from '../../../src/simulator/faults/fault-rule.ts'

/** When faults may strike, ms UTC, and what. */
export interface FaultSpan {
  readonly from: number
  readonly until: number
  readonly symbols: readonly string[]
}

type Random = () => number
/** A fault without its scope. */
type Kind = (random: Random, span: FaultSpan) => FaultRuleInput

/** Up to so much of the past shows in a stale read, ms: less than the settlement margin of the bot. */
const STALEST_MS = 2500

/** Every kind that the exchange can inject, but refusals of orders, which `refusedOrders` draws. */
const KINDS: { readonly [Fault in Exclude<FaultRuleInput['fault'], 'refused'>]: Kind } = {
  delay: random => ({ fault: 'delay', delayMs: ms(random, 3000), jitterMs: ms(random, 3000) }),
  lateArrival: random => ({ fault: 'lateArrival', delayMs: ms(random, 6000), jitterMs: ms(random, 3000) }),
  dropBefore: () => ({ fault: 'dropBefore' }),
  dropAfter: () => ({ fault: 'dropAfter' }),
  cutAnswer: () => ({ fault: 'cutAnswer' }),
  truncatedJson: () => ({ fault: 'truncatedJson' }),
  gatewayTimeout: () => ({ fault: 'gatewayTimeout' }),
  serverError: random => ({ fault: 'serverError', status: random() < 0.5 ? 500 : 502 }),
  tooManyRequests: random => ({ fault: 'tooManyRequests', ...retryAfter(random) }),
  banned: random => ({ fault: 'banned', retryAfterS: 1 + Math.floor(random() * 15), most: 2 }),
  maintenance: () => ({ fault: 'maintenance' }),
  page: random => ({ fault: 'page', status: [403, 403, 302, 404, 503][Math.floor(random() * 5)] ?? 403 }),
  // Two looks that agree are believed, so that prices far away come once.
  oddPrices: random => {
    const as = (['zero', 'negative', 'crossed', 'far'] as const)[Math.floor(random() * 4)] ?? 'zero'
    return as === 'far'
      ? { fault: 'oddPrices', as, factor: random() < 0.5 ? 0.3 : 3, most: 1 }
      : { fault: 'oddPrices', as }
  },
  staleRead: random => ({ fault: 'staleRead', lagMs: ms(random, STALEST_MS) }),
  duplicatedEntries: () => ({ fault: 'duplicatedEntries' }),
  pendingCancel: random => ({ fault: 'pendingCancel', delayMs: ms(random, 9000) }),
  slowFills: random => ({ fault: 'slowFills', delayMs: ms(random, 6000) }),
  numbersAsStrings: () => ({ fault: 'numbersAsStrings' }),
  stringsAsNumbers: () => ({ fault: 'stringsAsNumbers' }),
  exponentZeros: () => ({ fault: 'exponentZeros' }),
  clockSkew: random => ({ fault: 'clockSkew', skewMs: Math.round((random() * 2 - 1) * 1500) }),
  changedPrecision: (random, { symbols }) => {
    const symbol = symbols[Math.floor(random() * symbols.length)] ?? ''
    const fewer = symbol.includes('/') ? { quantityPrecision: 2 } : { pricePrecision: 1 }
    return { fault: 'changedPrecision', symbol, ...fewer }
  },
  restart: random => ({ fault: 'restart', losesOrders: random() < 0.5 }),
}

/** These hold for all calls, or make no sense. */
const WHOLE: ReadonlySet<string> = new Set(['clockSkew', 'changedPrecision', 'restart'])
const ENDPOINTS = [
  '*',
  '*',
  'POST /sapi/*',
  'GET /sapi/*',
  '/sapi/v2/order',
  '/sapi/v2/myTrades',
  '/sapi/v2/cancel',
] as const
/** The same of contracts, and what only they have. */
const FUTURES_ENDPOINTS = [
  '*',
  '*',
  'POST /fapi/*',
  'GET /fapi/*',
  '/fapi/v1/order',
  '/fapi/v1/myTrades',
  '/fapi/v1/cancel',
  '/fapi/v1/account',
  '/fapi/v1/get_user_transaction',
] as const

/** Some faults, each for some of the calls and for some of the time. */
export function randomFaults(random: Random, span: FaultSpan): readonly FaultRuleInput[] {
  const endpoints = [
    ...(span.symbols.some(symbol => symbol.includes('/')) ? ENDPOINTS : []),
    ...(span.symbols.every(symbol => symbol.includes('/')) ? [] : FUTURES_ENDPOINTS),
  ]
  const names = Object.keys(KINDS) as (keyof typeof KINDS)[] // its own keys
  return Array.from({ length: 1 + Math.floor(random() * 5) }, () => {
    const name = names[Math.floor(random() * names.length)] ?? 'delay'
    const rule = KINDS[name](random, span)
    const from = Math.floor(span.from + random() * (span.until - span.from))
    const length = WHOLE.has(name) ? 5000 + random() * 40_000 : 10_000 + random() * 240_000
    const times = { from, until: Math.min(span.until, Math.floor(from + length)) }
    if (WHOLE.has(name)) return { ...rule, ...times }
    const drawn = endpoints[Math.floor(random() * endpoints.length)] ?? '*'
    const endpoint = name === 'oddPrices' ? oddEndpoint(drawn, rule) : drawn
    return { ...rule, ...times, endpoint, probability: [0.05, 0.2, 0.5, 1][Math.floor(random() * 4)] ?? 1 }
  })
}

/** An old copy of a kline that has just closed lacks its close, which the market prints a quarter of a minute before it ends, ms. */
const KLINES_LAG_MS = 20_000
/** So long after a close come old copies, ms: the bot believes a kline that nothing follows 4 s after its close at the earliest. */
const OLD_COPIES_MS = 3500
const MINUTE_MS = 60_000

/**
 * Now and then the exchange turns a bot away from one close to the next, and old copies of klines come right after that: an
 * answer then has two klines that were never seen, of which the later one still grew.
 */
export function lateKlines(random: Random, { from, until, symbols }: FaultSpan): readonly FaultRuleInput[] {
  if (random() >= 0.1) return []
  const closes = Math.floor((until - from) / MINUTE_MS) - 2
  const close = from + (2 + Math.floor(random() * closes)) * MINUTE_MS
  const endpoints = [
    ...(symbols.some(symbol => symbol.includes('/')) ? ['spotKlines'] : []),
    ...(symbols.every(symbol => symbol.includes('/')) ? [] : ['futuresKlines']),
  ]
  return endpoints.flatMap((endpoint): FaultRuleInput[] => [
    {
      ...{ fault: 'tooManyRequests', retryAfterS: MINUTE_MS / 1000, endpoint },
      ...{ from: close - MINUTE_MS, until: close - MINUTE_MS / 2 },
    },
    {
      ...{ fault: 'staleRead', lagMs: KLINES_LAG_MS, endpoint },
      ...{ from: close, until: close + OLD_COPIES_MS },
    },
  ])
}

/** Now and then the exchange refuses every order, or every second one, for some time. */
export function refusedOrders(
  random: Random,
  { from, until, symbols }: FaultSpan,
): readonly FaultRuleInput[] {
  if (random() >= 0.3) return []
  const start = Math.floor(from + random() * (until - from))
  const end = Math.min(until, start + 20_000 + ms(random, 100_000))
  const probability = random() < 0.5 ? 1 : 0.5
  const endpoints = [
    ...(symbols.some(symbol => symbol.includes('/')) ? ['spotNewOrder'] : []),
    ...(symbols.every(symbol => symbol.includes('/')) ? [] : ['futuresNewOrder']),
  ]
  return endpoints.map(endpoint => ({ fault: 'refused', endpoint, probability, from: start, until: end }))
}

const HOUR_MS = 3_600_000

/** Now and then the list of transactions cannot be read for some time after funding was settled: positions may be gone, and others open, once it can. */
export function lateFunding(random: Random, { from, until, symbols }: FaultSpan): readonly FaultRuleInput[] {
  if (random() >= 0.3 || symbols.every(symbol => symbol.includes('/'))) return []
  const settledAt = Math.ceil(from / HOUR_MS) * HOUR_MS
  const times = { from: settledAt, until: Math.min(until, settledAt + 60_000 + ms(random, 120_000)) }
  if (times.until <= settledAt) return []
  return [{ fault: 'page', status: 503, endpoint: '/fapi/v1/get_user_transaction', ...times }]
}

/** Where prices are odd: anywhere, but those that are only far in tickers alone, which are looked at twice. */
function oddEndpoint(drawn: string, rule: FaultRuleInput): string {
  const isFutures = drawn.includes('/fapi/')
  if ('as' in rule && rule.as === 'far') return isFutures ? 'futuresTicker' : 'spotTicker'
  return isFutures ? 'GET /fapi/*' : 'GET *'
}

function ms(random: Random, most: number): number {
  return 1 + Math.floor(random() * most)
}

function retryAfter(random: Random): { readonly retryAfterS?: number } {
  return random() < 0.5 ? {} : { retryAfterS: Math.floor(random() * 10) }
}
