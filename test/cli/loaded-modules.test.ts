import { readFileSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join, normalize } from 'node:path'
import { expect, it } from 'vitest'
import { runIn } from '../project-copy.ts'
import { fileWith, ROOT } from './sluice-process.ts'

/** Specifiers of the imports that a file makes when it is loaded: not of types, nor where a function imports. */
function loadedBy(file: string): string[] {
  const code = stripTypeScriptTypes(readFileSync(join(ROOT, file), 'utf8'))
  return [...code.matchAll(/^(?:import|export|\}) .*?from '([^']+)'|^import '([^']+)'/gm)].map(
    ([, named, bare]) => named ?? bare ?? '',
  )
}

/** Modules that load with a file, itself included: paths of ours, and names of packages. */
function modulesWith(file: string, found = new Set<string>()): ReadonlySet<string> {
  found.add(file)
  for (const name of loadedBy(file)) {
    const module = name.startsWith('.') ? normalize(join(file, '..', name)) : name
    if (!name.startsWith('.')) found.add(module)
    else if (!found.has(module)) modulesWith(module, found)
  }
  return found
}

it('defines all commands without loading what they run, so that --help and a misspelt command answer at once', () => {
  const modules = [...modulesWith('src/cli/command-line.ts')]
  const ours = modules.filter(name => name.startsWith('src/') || name.startsWith('backtest/'))
  expect(ours).toContain('src/cli/definitions/define-klines-resample.ts')
  expect(modules.filter(name => !ours.includes(name))).toEqual(['commander'])
  // Definitions, their parsers and defaults; the whole code has some 1,000 modules.
  expect(ours.length).toBeLessThan(60)
})

it('loads into a thread of trials neither what reads and checks inputs nor its packages', () => {
  const packages = [...modulesWith('src/cli/research/trial-worker.ts')].filter(name => !name.endsWith('.ts'))
  const ofNode = packages.filter(name => name.startsWith('node:'))
  expect(packages.filter(name => !ofNode.includes(name)).sort()).toEqual([
    'decimal.js',
    'fastest-levenshtein',
  ])
  expect(ofNode).not.toContain('node:sqlite')
})

it('lets threads find the compiled modules that it keeps, so that they need not strip and compile them again', async () => {
  const folder = dirname(fileWith('main.js', readFileSync(join(ROOT, 'src/main.js'), 'utf8')))
  const place = "require('node:module').getCompileCacheDir()"
  const started = `import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
const require = createRequire(import.meta.url)
console.log(${place})
new Worker(${JSON.stringify(`console.log(${place})`)}, { eval: true })
process.exitCode = 0
`
  writeFileSync(join(folder, 'main.ts'), started)
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  const { exitCode, out, err } = await runIn(
    folder,
    'env',
    '-u',
    'NODE_COMPILE_CACHE',
    process.execPath,
    'main.js',
  )
  const [main, thread, ...others] = out.split('\n')
  expect([exitCode, err, others]).toEqual([0, '', ['']])
  expect(main).toMatch(/^\//)
  expect(thread).toBe(main)
})
