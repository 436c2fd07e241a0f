import { join } from 'node:path'
import type { Strategy } from '../../src/strategy/define-strategy.ts'
import { strategyIn } from '../../src/strategy/strategy-module.ts'

const FOLDER = join(import.meta.dirname, '../../strategies')

/** Loads a strategy as a user's configuration would: its default export. */
export async function loadShipped(name: string): Promise<Strategy> {
  const file = join(FOLDER, `${name}.ts`)
  return strategyIn(await import(file), file)
}
