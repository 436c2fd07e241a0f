import type { Protection, ProtectSignal } from '../../../src/domain/signal.ts'
import { cancelEntries, exit, protect, targetPosition } from '../../../src/strategy/index.ts'
import { lifetimeOf, type Move, near, type Random } from './chaos-move.ts'

/** A change of one kind of protection or several. */
function change(price: number, random: Random): Omit<ProtectSignal, 'type' | 'tag'> {
  const kind = random()
  const part = random()
  if (kind < 0.2) return { stopLoss: price * (1 - 0.002 - part * 0.01) }
  if (kind < 0.4) return { stopLoss: { fraction: 0.003 + part * 0.02 }, takeProfit: { fraction: 0.01 } }
  if (kind < 0.55) return { trailingStop: { fraction: 0.003 + part * 0.01 }, stopLoss: 'none' }
  if (kind < 0.7) {
    const parts = [0.004, 0.009].map(at => ({ at: { fraction: at + part * 0.004 }, fraction: 0.5 }))
    return { takeProfit: parts }
  }
  return { takeProfit: 'none', ...(part < 0.5 && { trailingStop: 'none' }) }
}

/** What some targets are protected by. */
function protection(random: Random): Protection {
  return random() < 0.5 ? {} : { stopLoss: { fraction: 0.01 } }
}

/** Every way out of a position, or to another size or protection of it. */
export const LEAVING_MOVES = {
  partialExit: (_price, random) => exit({ fraction: 0.1 + random() * 0.8 }),
  restingExit: (price, random) =>
    exit({
      fraction: 0.3 + random() * 0.7,
      order: { type: 'limit', price: near(price, 0.008, random), postOnly: random() < 0.3 },
      ...lifetimeOf(random),
    }),
  exitAtOnce: (price, random) =>
    exit({
      fraction: 0.3 + random() * 0.7,
      order: {
        type: 'limit',
        price: near(price, 0.003, random),
        timeInForce: random() < 0.5 ? 'IOC' : 'FOK',
      },
    }),
  waitingExit: (price, random) =>
    exit({
      fraction: 0.3 + random() * 0.7,
      order:
        random() < 0.5
          ? { type: 'stop', stopPrice: price * (1 - random() * 0.008) }
          : { type: 'ifTouched', triggerPrice: price * (1 + random() * 0.006) },
      ...lifetimeOf(random),
    }),
  exit: () => exit(),
  target: (_price, random) => targetPosition({ base: Math.floor(random() * 5) / 2 }, protection(random)),
  targetShare: (_price, random) =>
    targetPosition({ equityFraction: Math.floor(random() * 3) / 5 }, protection(random)),
  restingTarget: (price, random) =>
    targetPosition(
      { base: Math.floor(random() * 5) / 2 },
      { ...protection(random), order: { type: 'limit', price: near(price, 0.006, random) } },
    ),
  protect: (price, random) => protect(change(price, random)),
  protectSome: (price, random) => protect({ ...change(price, random), tag: 'rung 1' }),
  cancel: () => cancelEntries(),
  cancelSome: (_price, random) => cancelEntries({ tag: random() < 0.5 ? 'low' : 'rung 0' }),
  wait: () => undefined,
} satisfies Readonly<Record<string, Move>>
