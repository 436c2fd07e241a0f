import { readFileSync, statSync } from 'node:fs'
import { findPackageJSON, isBuiltin } from 'node:module'
import { dirname, extname, isAbsolute, relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { importsIn } from './import-scan.ts'

/** A file that a strategy is made of. */
export interface StrategySourceFile {
  /** Seen from the folder of the strategy's own file, with `/`. */
  readonly name: string
  readonly path: string
}

/** Files and packages of a strategy, outside Sluice itself. */
export interface StrategyFiles {
  /** The strategy's own file, and all that it imports, by name. */
  readonly files: readonly StrategySourceFile[]
  /** Packages, with their versions: `trading-signals 8.3.0`. */
  readonly packages: readonly string[]
  /** Imports that could not be followed, each with the importing file. */
  readonly unresolved: readonly string[]
  /**
   * Modules of Node, files without code, and parts of Sluice outside the rooms for strategies: they could
   * give a strategy more data than its klines.
   */
  readonly outside: readonly string[]
}

const CODE = /^\.[cm]?[jt]s$/

/**
 * Follows the imports of a strategy file without running it. Files of Sluice (`src/` and `backtest/` of `root`) are not
 * followed: they are identified by their own hash. Throws where the strategy's file itself cannot be read.
 */
export function strategyFiles(strategyFile: string, root: string): StrategyFiles {
  const start = resolve(strategyFile)
  const found = new Map<string, string>()
  const [packages, unresolved, outside] = [new Set<string>(), new Set<string>(), new Set<string>()]
  const folder = dirname(start)
  const nameOf = (path: string) => withSlashes(relative(folder, path))
  const follow = (path: string): void => {
    if (found.has(path)) return
    if (isOfSluice(path, root)) {
      if (!isForStrategies(path, root)) outside.add(withSlashes(relative(root, path)))
      return
    }
    const source = readFileSync(path, 'utf8')
    found.set(path, nameOf(path))
    if (!CODE.test(extname(path))) {
      outside.add(nameOf(path))
      return
    }
    const { specifiers, computed } = importsIn(source)
    for (const text of computed) unresolved.add(`${text} in ${nameOf(path)}`)
    for (const specifier of specifiers) take(specifier, path)
  }
  const take = (specifier: string, importer: string): void => {
    if (isBuiltin(specifier)) {
      outside.add(specifier)
      return
    }
    const target = pathOf(specifier, importer)
    if (target !== undefined && statSync(target, { throwIfNoEntry: false })?.isFile() === true) follow(target)
    else if (target === undefined && packageText(specifier, importer) !== undefined) {
      packages.add(packageText(specifier, importer) ?? specifier)
    } else unresolved.add(`${specifier} in ${nameOf(importer)}`)
  }
  follow(start)
  const files = [...found].map(([path, name]) => ({ name, path }))
  return {
    files: files.sort((left, right) => (left.name < right.name ? -1 : 1)),
    packages: [...packages].sort(),
    unresolved: [...unresolved].sort(),
    outside: [...outside].sort(),
  }
}

function isOfSluice(path: string, root: string): boolean {
  return /^(src|backtest)[\\/]/.test(relative(root, path))
}

/** True for the rooms used by strategies and their dependencies: all of them are pure. */
function isForStrategies(path: string, root: string): boolean {
  return /^src\/(strategy|streams|indicators|domain)\//.test(withSlashes(relative(root, path)))
}

function withSlashes(path: string): string {
  return path.replaceAll('\\', '/')
}

/** The file that a relative or absolute specifier means; `undefined` for a package. */
function pathOf(specifier: string, importer: string): string | undefined {
  if (specifier.startsWith('file:')) return fileURLToPath(specifier)
  if (/^\.{1,2}\//.test(specifier)) return fileURLToPath(new URL(specifier, pathToFileURL(importer)))
  return isAbsolute(specifier) ? specifier : undefined
}

function packageText(specifier: string, importer: string): string | undefined {
  try {
    const path = findPackageJSON(specifier, pathToFileURL(importer))
    if (path === undefined) return undefined
    const { name, version }: { name: string; version: string } = JSON.parse(readFileSync(path, 'utf8'))
    return `${name} ${version}`
  } catch {
    return undefined // not installed
  }
}
