import { FEEDS } from './endpoints/feeds.ts'
import { FUTURES_ACCOUNT } from './endpoints/futures-account.ts'
import { FUTURES_PUBLIC } from './endpoints/futures-public.ts'
import { FUTURES_SETTINGS } from './endpoints/futures-settings.ts'
import { FUTURES_TRADE } from './endpoints/futures-trade.ts'
import { MARGIN } from './endpoints/margin.ts'
import { SPOT_ACCOUNT } from './endpoints/spot-account.ts'
import { SPOT_PUBLIC } from './endpoints/spot-public.ts'
import { SPOT_TRADE } from './endpoints/spot-trade.ts'

/** The table of all exchange endpoints: the client sends by it, the simulated exchange routes by it. */
export const ENDPOINTS = {
  ...SPOT_PUBLIC,
  ...SPOT_TRADE,
  ...SPOT_ACCOUNT,
  ...MARGIN,
  ...FUTURES_PUBLIC,
  ...FUTURES_TRADE,
  ...FUTURES_SETTINGS,
  ...FUTURES_ACCOUNT,
  ...FEEDS,
} as const

/** Name of a row. */
export type EndpointKey = keyof typeof ENDPOINTS
