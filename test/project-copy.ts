import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { onTestFinished } from 'vitest'

const ROOT = resolve(import.meta.dirname, '..')
const PARTS = [
  'src',
  'backtest',
  'strategies',
  'config',
  'package.json',
  'tsconfig.json',
  'vitest.config.ts',
  'biome.json',
]

/** A copy of the project as a newcomer has it, with a link to the installed packages; gone after the test. */
export function copyOfProject(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-copy-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const part of PARTS) cpSync(join(ROOT, part), join(folder, part), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  return folder
}
