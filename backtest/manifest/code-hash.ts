import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import type { StrategyFiles } from './strategy-files.ts'

/**
 * SHA-256 over the code a result depends on: every .ts file below `src/` and `backtest/` of `root`, sorted by
 * path, each as path, length and bytes; then the strategy's own file and the files it imports, by their
 * names, and the versions of the packages it imports. The same on every machine and in every folder.
 */
export function codeHash(
  root: string,
  strategyFile: string,
  { files, packages }: Pick<StrategyFiles, 'files' | 'packages'>,
): string {
  const hash = createHash('sha256')
  const paths = globSync('{src,backtest}/**/*.ts', { cwd: root }).map(path => path.replaceAll('\\', '/'))
  for (const path of paths.sort()) feed(path, resolve(root, path))
  feed(`strategy ${basename(strategyFile)}`, strategyFile)
  for (const { name, path } of files) if (path !== resolve(strategyFile)) feed(`import ${name}`, path)
  for (const name of packages) hash.update(`package ${name}\0`)
  return hash.digest('hex')

  function feed(name: string, path: string): void {
    const bytes = readFileSync(path)
    hash.update(`${name}\0${bytes.length}\0`).update(bytes)
  }
}
