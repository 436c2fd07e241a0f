import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'

/** Paths of scripts in quotes: those of imports, and of the processes that a bench starts. */
const SCRIPT = /(['"`])(?<path>\.[\w./-]+\.(?:ts|py))\1/g

const named = globSync('{*/**/*,main,bench-rows}.ts', { cwd: import.meta.dirname }).flatMap(file => {
  const text = readFileSync(join(import.meta.dirname, file), 'utf8')
  return Array.from(text.matchAll(SCRIPT), ({ groups = {} }) => ({ file, script: groups.path ?? '' }))
})

it('starts scripts that exist only, each named by its path from the file that names it', () => {
  expect(named.map(({ script }) => script)).toContain('./client-order-speed.ts')
  const missing = named.filter(
    ({ file, script }) => !existsSync(join(import.meta.dirname, dirname(file), script)),
  )
  expect(missing).toEqual([])
})
