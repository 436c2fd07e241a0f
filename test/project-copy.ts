import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'
import type { Ended } from './cli/sluice-process.ts'

const run = promisify(execFile)

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

/** Runs a command in a folder to its end. */
export async function runIn(folder: string, command: string, ...args: readonly string[]): Promise<Ended> {
  try {
    const { stdout, stderr } = await run(command, [...args], { cwd: folder })
    return { exitCode: 0, out: stdout, err: stderr }
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string } // of execFile
    return { exitCode: code, out: stdout, err: stderr }
  }
}
