import { EngineSession, MARGIN, type SessionOptions, SPOT, scripted } from '../engine-session.ts'

/** A wish to buy. */
export const buy = (price: number, base = 1, tag?: string) =>
  ({ side: 'buy', price, size: { base }, ...(tag !== undefined && { tag }) }) as const

/** A wish to sell. */
export const sell = (price: number, base = 1, tag?: string) =>
  ({ side: 'sell', price, size: { base }, ...(tag !== undefined && { tag }) }) as const

/** A session after its first kline, at 100; `said` is what followed from it. */
export function started(script: Parameters<typeof scripted>[0], options: SessionOptions = {}) {
  const session = new EngineSession(scripted(script), options)
  const said = session.kline(100)
  return { session, said }
}

/** Spot without fees, so that what is bought is what is held. */
export const FREE_SPOT = { ...SPOT, fees: MARGIN.fees }
