import type { Signals } from '../signals.ts'
import type { FeedRun } from '../strategy-run.ts'

/** A feed whose signals pass through a function. */
export function passingFeed(feed: FeedRun, through: (signals: Signals<string>) => Signals<string>): FeedRun {
  return {
    name: feed.name,
    feed: feed.feed,
    warmUp: feed.warmUp,
    get latest() {
      return feed.latest
    },
    set latest(latest) {
      feed.latest = latest
    },
    update: datum => feed.update(datum),
    show: datum => through(feed.show(datum)),
  }
}
