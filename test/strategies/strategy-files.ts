import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Strategy } from '../../src/strategy/define-strategy.ts'
import { strategyIn } from '../../src/strategy/strategy-module.ts'

const FOLDER = join(import.meta.dirname, '../../strategies')

/** Names of the strategies that come with Sluice. */
export const SHIPPED: readonly string[] = readdirSync(FOLDER)
  .filter(file => file.endsWith('.ts'))
  .map(file => file.slice(0, -'.ts'.length))

/** Loads a strategy as a user's configuration would: its default export. */
export async function loadShipped(name: string): Promise<Strategy> {
  const file = join(FOLDER, `${name}.ts`)
  return strategyIn(await import(file), file)
}
