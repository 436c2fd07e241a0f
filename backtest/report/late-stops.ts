import type { SimulatedFill } from '../fills/simulated-fill.ts'

/** Stops that traded after the kline that reached them, because that had no volume left; see `FillSettings.maxVolumeShare`. */
export interface LateStops {
  /** Fills of such stops, at least 1. */
  readonly fills: number
  /** Time of the first one, ms UTC. */
  readonly firstTime: number
}

/** The stops that filled late; `undefined` without one. */
export function lateStopsOf(fills: readonly SimulatedFill[]): LateStops | undefined {
  const late = fills.filter(({ rule }) => rule === 'triggeredRest')
  return late[0] && { fills: late.length, firstTime: late[0].time }
}
