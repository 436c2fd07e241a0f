import { BLOCK } from './kline-blocks.ts'
import type { MarketPlayer } from './market-player.ts'
import { type Playback, type PlaybackOptions, playbackOf } from './playback.ts'
import type { Resumable } from './resumable.ts'
import type { StretchPlayer } from './stretch-player.ts'

/** Klines of the first step: few, since it is not known what a strategy takes for each. */
const FIRST_STEP = 8
/** Steps of up to this many ms double the next; those of more than four times as many shorten it to about this. */
const QUICK_STEP_MS = 25

export interface PlayMarketsOptions extends PlaybackOptions {
  /** Called once all klines that close at a time (ms UTC) have closed; `false` ends it all. */
  readonly onClosed?: (time: number, players: readonly MarketPlayer[]) => boolean
  /** Called with each first row of a stretch that the only market has played; `false` ends it all. */
  readonly onStretch?: (from: number, player: StretchPlayer) => boolean
}

/**
 * Plays the klines of several markets on one account, in one order of time. At each moment the steps are:
 * trades inside the klines that close are booked, of recorded ticks all that became known before it; all these klines and those of feeds count at their closes;
 * they are shown in the order of `compareKlineCloses` (as live), so that a decision sees all earlier events;
 * other data is shown; orders trade at the opens of the klines that begin. An order decided at a close thus becomes live at the next open
 * of its own market, which after a gap may be much later. A market that is alone is played in stretches in
 * which nothing happens between its klines. Pauses every so many klines; see `Resumable`.
 */
export function* playMarkets(options: PlayMarketsOptions): Resumable<void> {
  yield* playThrough(playbackOf(options), options)
}

/** The same of a playback that was set up. */
export function* playThrough(
  playback: Playback,
  { onClosed, onStretch, reveal }: Pick<PlayMarketsOptions, 'onClosed' | 'onStretch' | 'reveal'>,
): Resumable<void> {
  const { only, traded } = playback
  const first = only ?? traded[0]
  const start = startOf(playback)
  if (start === Number.POSITIVE_INFINITY) return
  first?.replay.turnSession('sessionStarted', start)
  let step = FIRST_STEP
  for (;;) {
    const before = playedBy(playback)
    const goesOn =
      only === undefined
        ? playSome(playback, step, onClosed, reveal)
        : playStretches(playback, only, step, onStretch, reveal)
    if (!goesOn) break
    step = nextStep(step, yield playedBy(playback) - before)
  }
  first?.replay.turnSession('sessionEnding', playback.time)
}

/** Klines of the step after one of `step` klines that took so many ms. */
function nextStep(step: number, tookMs: number | undefined): number {
  if (tookMs === undefined) return BLOCK
  if (tookMs > 4 * QUICK_STEP_MS) return Math.max(1, Math.floor((step * QUICK_STEP_MS) / tookMs))
  return tookMs <= QUICK_STEP_MS ? Math.min(BLOCK, step * 2) : step
}

/** Plays the next `step` klines of the only market; returns true if there are more. */
function playStretches(
  playback: Playback,
  only: StretchPlayer,
  step: number,
  onStretch: PlayMarketsOptions['onStretch'],
  reveal: PlayMarketsOptions['reveal'],
): boolean {
  const { klines, replay } = only
  const end = Math.min(only.played + step, klines.length)
  if (reveal === undefined) replay.announce(klines, only.played, end)
  while (only.played < end) {
    const from = only.played
    reveal?.closing(only.closeTime(from))
    only.play(reveal === undefined ? end : from + 1)
    const goesOn = onStretch?.(from, only) !== false
    playback.time = only.closeTime(goesOn ? only.played - 1 : from)
    if (!goesOn) return false
  }
  return only.played < klines.length
}

/** Plays about `step` klines; returns true if there may be more. */
function playSome(
  playback: Playback,
  step: number,
  onClosed: PlayMarketsOptions['onClosed'],
  reveal: PlayMarketsOptions['reveal'],
): boolean {
  const { traded, closing, data, ticks } = playback
  for (let moments = 0; moments * closing.length < step; moments++) {
    const time = nextTimeOf(playback)
    if (time === Number.POSITIVE_INFINITY) return false
    playback.time = time
    reveal?.closing(time)
    ticks?.playUntil(time)
    const closes = closeAll(playback, time)
    for (const player of data) while (player.nextTime === time) player.dispatch()
    if (closes && onClosed?.(time, traded) === false) return false
    reveal?.opening(time)
    openAll(traded, time)
  }
  return true
}

function playedBy({ only, traded }: Playback): number {
  if (only !== undefined) return only.played
  return traded.reduce((sum, { played }) => sum + played, 0)
}

/** Feed data after the last traded kline is ignored. */
function nextTimeOf({ traded, closing, data }: Playback): number {
  let time = Number.POSITIVE_INFINITY
  for (const { nextTime } of traded) if (nextTime < time) time = nextTime
  if (time === Number.POSITIVE_INFINITY) return time
  for (const { nextTime } of closing) if (nextTime < time) time = nextTime
  for (const { nextTime } of data) if (nextTime < time) time = nextTime
  return time
}

/** Closes the klines that end at a time; returns true if any of them is traded on. */
function closeAll({ traded, closing }: Playback, time: number): boolean {
  let closes = false
  for (const player of traded) {
    if (!player.closesAt(time)) continue
    player.walk()
    closes = true
  }
  // Every instrument counts at its close before any strategy decides on one.
  for (const player of closing) if (player.closesAt(time)) player.mark()
  for (const player of closing) if (player.closesAt(time)) player.close()
  return closes
}

/**
 * Lets orders trade at the opens of a time; orders that these fills cause in other markets trade at the opens
 * there.
 */
function openAll(players: readonly MarketPlayer[], time: number): void {
  let anyOpened = true
  while (anyOpened) {
    anyOpened = false
    for (const player of players) if (player.openAt(time)) anyOpened = true
  }
}

/** When the first kline opens, ms UTC. */
function startOf({ only, traded }: Playback): number {
  const players = only === undefined ? traded : [only]
  return Math.min(...players.map(({ klines }) => klines.openTime[0] ?? Number.POSITIVE_INFINITY))
}
