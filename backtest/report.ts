import type { Denial } from '../src/domain/denial.ts'
import type { Fill } from '../src/domain/fill.ts'
import type { Instrument } from '../src/domain/instrument.ts'
import type { Position } from '../src/domain/position.ts'
import type { RoundTrip } from '../src/domain/round-trip.ts'
import type { EquityCurve } from './equity-curve.ts'
import type { Manifest } from './manifest.ts'
import type { Metrics } from './metrics.ts'

/** What is reported of a backtest on one instrument: its outcome, and what it follows from. */
export interface BacktestReport {
  readonly manifest: Manifest
  readonly metrics: Metrics
  readonly instrument: Instrument
  /** In order of exit. */
  readonly roundTrips: readonly RoundTrip[]
  /** In order of time. */
  readonly fills: readonly Fill[]
  readonly equity: EquityCurve
  /** How often the strategy signaled. */
  readonly signals: number
  /** In order of time. */
  readonly denials: readonly Denial[]
  /** What is still held at the end. */
  readonly openPosition: Position | undefined
  /** Equity fell to zero: the position was closed and trading stopped. */
  readonly ruined: boolean
}
