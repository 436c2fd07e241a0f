import type { MatchingRule } from '../../src/matching/fill-evidence.ts'

/** The rule of the fill model that a simulated fill follows from. */
export type FillRule =
  /** On recorded ticks: the rule of the matching. */
  | MatchingRule
  /** A market order trades at the open. */
  | 'marketAtOpen'
  /** The end of the data, or ruin, closes the position. */
  | 'positionClosed'
  /** The rest of a triggered order, which the volume of an earlier kline did not cover, trades at the open. */
  | 'triggeredRest'
  /** The open lies at or beyond a stop. */
  | 'stopAtOpen'
  /** The open lies at or beyond the trigger of an if-touched order. */
  | 'touchedAtOpen'
  /** The open lies beyond a new limit order, which takes from the book. */
  | 'limitTakesAtOpen'
  /** The open lies beyond an already resting limit order. */
  | 'limitPassedByOpen'
  /** The kline reaches a stop after its open. */
  | 'stopInside'
  /** The kline reaches, after its open, the trigger of an order that trades if touched. */
  | 'touchedInside'
  /** The kline reaches the level that a trailing stop has after the kline's own extreme. */
  | 'trailedInside'
  /** The kline reaches a limit after its open. */
  | 'limitInside'
  /** A stop-limit order is triggered after the open and takes from the book at its stop. */
  | 'stopLimitTriggered'
  /** A stop-limit order fills at the better of its two prices wherever the kline passes its limit (`stopLimit: atStopPrice`). */
  | 'stopLimitAsOnePrice'
  /** A stop-limit order is triggered after the open, and the price comes back to its limit. */
  | 'stopLimitPullback'
  /** The exchange liquidates an under-margined position at the mark price. */
  | 'liquidated'
  /** A fill inside the kline let the order begin to work when the price was already beyond that of the order. */
  | 'reachedOnArrival'
