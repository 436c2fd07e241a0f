import { guardGlobals } from './guard-globals.ts'
import { guardImports } from './guard-imports.ts'
import { StrategyScope } from './strategy-scope.ts'

/** The exports of a strategy's module, and the scope that its code was imported in. */
export interface ImportedStrategy {
  readonly module: Readonly<Record<string, unknown>>
  readonly scope: StrategyScope
}

/** Scopes by URL: Node runs the code of a module once. */
const scopes = new Map<string, StrategyScope>()

/** Imports the module of a strategy, and all that it imports, within a scope; rejects with what the module throws. */
export async function importStrategy(url: string): Promise<ImportedStrategy> {
  guardGlobals()
  guardImports(url)
  const scope = scopes.get(url) ?? new StrategyScope()
  scopes.set(url, scope)
  // A module is a record of its exports.
  const module = (await scope.import(() => import(url))) as ImportedStrategy['module']
  return { module, scope }
}
