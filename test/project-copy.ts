import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'
import type { Ended } from './cli/sluice-process.ts'
import { isShipped } from './shipped-files.ts'

const run = promisify(execFile)

const ROOT = resolve(import.meta.dirname, '..')
/** What commands need. */
const PARTS = [
  'src',
  'backtest',
  'strategies',
  'config',
  'package.json',
  'tsconfig.json',
  'vitest.config.ts',
  // Which the configuration of the tests names.
  'test/fixed-seed.ts',
  'biome.json',
]
/** What tests and checks need besides. */
const MORE = [
  'test',
  'docs',
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'knip.json',
  'package-lock.json',
  '.npmrc',
  'vitest.mutation.config.ts',
  'vitest.journeys.config.ts',
  'vitest.proofs.config.ts',
]

/** Parts into which users put files of their own. */
const OPEN = ['strategies', 'config', 'test']

/** What a copy of the project has. */
export interface CopyOptions {
  /** Default: this project. */
  readonly from?: string
  /** With tests and documents. Default: what commands need. */
  readonly whole?: boolean
}

/**
 * A copy of the project as a newcomer has it, without the strategies, configurations and tests that its user has added, and
 * with a link to the installed packages; gone after the test.
 */
export function copyOfProject({ from = ROOT, whole = false }: CopyOptions = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-copy-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const filter = (path: string) => isShipped(relative(from, path))
  for (const part of whole ? [...PARTS, ...MORE] : PARTS)
    cpSync(join(from, part), join(folder, part), { recursive: true, ...(OPEN.includes(part) && { filter }) })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

/**
 * The environment of a process in the project or in a copy of it: paths of compiled modules are relative to the folder, so
 * that copies find those of the project.
 */
export function environmentIn(folder: string): NodeJS.ProcessEnv {
  return { ...process.env, NODE_COMPILE_CACHE: join(folder, 'node_modules/.cache/node') }
}

/** Runs a command in a folder to its end. */
export async function runIn(folder: string, command: string, ...args: readonly string[]): Promise<Ended> {
  try {
    const options = { cwd: folder, env: environmentIn(folder), maxBuffer: 2 ** 26 }
    const { stdout, stderr } = await run(command, [...args], options)
    return { exitCode: 0, out: stdout, err: stderr }
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string } // of execFile
    return { exitCode: code, out: stdout, err: stderr }
  }
}
