import { MINUTE } from '../../simulator/exchange-caller.ts'
import type { BotWorld } from '../world/bot-world.ts'

const USUAL_MS = 14 * MINUTE

/** Runs a world for so many ms and to its quiet end, and says everything that is wrong with it then. */
export async function playedOut(
  world: BotWorld,
  violations: (world: BotWorld) => Promise<readonly string[]>,
  runMs = USUAL_MS,
): Promise<readonly string[]> {
  world.start()
  await world.run(runMs)
  const hasLeft = await world.leave(70_000)
  const wrong = await violations(world)
  return hasLeft ? wrong : ['the bot did not leave in time', ...wrong]
}
