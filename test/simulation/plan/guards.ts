import type { Protection, TrailingStop } from '../../../src/domain/signal.ts'
import type { Random } from './chaos-move.ts'

/** Stop-loss, take-profit and trailing stops of every form, in any company; `distance`: about what prices move by, in quote. */
export function guard(distance: number, random: Random): Protection {
  const [hasStop, hasProfit, hasTrail] = [random() < 0.6, random() < 0.6, random() < 0.8]
  const [stop, profit] = [0.003 + random() * 0.015, 0.003 + random() * 0.015]
  const parts = [profit, profit * 2].map(fraction => ({ at: { fraction }, fraction: 0.5 }))
  const isParted = random() < 0.3
  const trails = [trail(distance, random), trail(distance, random)]
  return {
    ...(hasStop && { stopLoss: { fraction: stop } }),
    ...(hasProfit && { takeProfit: isParted ? parts : { fraction: profit } }),
    ...(hasTrail && { trailingStop: random() < 0.25 ? trails : (trails[0] as TrailingStop) }), // there are two
  }
}

function trail(distance: number, random: Random): TrailingStop {
  const [kind, part, begins] = [random(), random(), random()]
  const activation = begins < 0.5 ? {} : { activation: { fraction: 0.001 + random() * 0.008 } }
  if (kind < 0.33) return { callbackRate: 0.003 + part * 0.01, ...activation }
  if (kind < 0.66) return { fraction: 0.003 + part * 0.01, ...activation }
  return { distance: Math.round(distance * (0.3 + part) * 100) / 100, ...activation }
}
