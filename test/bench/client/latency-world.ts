import { TEST_ACCOUNT } from '../../../src/simulator/simulator-config.ts'

/** When the markets begin, ms UTC. */
export const START = Date.UTC(2026, 0, 1)
export const MINUTE = 60_000

const balances = { USDT: '100000000' }
export const BOT_ACCOUNT = { ...TEST_ACCOUNT, balances }
/** The bare reference trades on an account of its own. */
export const BARE_ACCOUNT = { apiKey: 'bare-key', apiSecret: 'bare-secret', balances }

/** Names of so many markets. */
export function symbolsOf(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `C${index}/USDT`)
}
